package dev.cairn.benchmarks.gpu;

import dev.cairn.benchmarks.harness.Places;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaDriver;
import dev.cairn.kernels.cuda.compile.CompiledKernelCache;
import dev.cairn.kernels.cuda.compile.CudaCompiler;
import dev.cairn.kernels.cuda.compile.CudaProgram;
import dev.cairn.kernels.cuda.load.CudaLibraries;
import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import dev.cairn.runtime.backend.DeviceOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The device that is measured, as Cairn opens it, and the same driver beside it. For one thread. */
final class GpuUnderTest implements AutoCloseable {
  /** Does nothing: takes an address and a number, as most kernels do. */
  static final String NOTHING = "nothing";

  private static final CudaProgram SOURCE = CudaProgram.of("benchmark.cu", """
    extern "C" __global__ void nothing(float* out, long long count) {}
    """);

  private final LoadedCuda loaded;
  private final CudaDevice device;
  private final NativeDriver nativeDriver;
  private final byte[] image;
  private final DeviceOptions deviceOptions;

  private GpuUnderTest(LoadedCuda loaded, CudaDevice device, NativeDriver nativeDriver, byte[] image,
    DeviceOptions deviceOptions) {
    this.loaded = loaded;
    this.device = device;
    this.nativeDriver = nativeDriver;
    this.image = image;
    this.deviceOptions = deviceOptions;
  }

  /** @throws IllegalStateException when there is no such device, or no NVRTC to compile kernels with */
  static GpuUnderTest open(GpuOptions options, Places places) {
    LoadedCuda loaded = CudaLibraries.load(search(options, places));
    CudaDevice device = CudaDevice.open(CudaDriver.initialize(loaded), options.ordinal());
    try {
      device.makeCurrent();
      byte[] image = CudaCompiler.open(loaded, CompiledKernelCache.none()).compile(SOURCE, device.properties()
        .architecture(), List.of());
      return new GpuUnderTest(loaded, device, new NativeDriver(), image, DeviceOptions.cuda(options.ordinal())
        .withSearch(search(options, places)));
    } catch (RuntimeException | Error e) {
      device.close();
      throw e;
    }
  }

  private static CudaSearch search(GpuOptions options, Places places) {
    CudaSearch search = CudaSearch.of(System.getenv());
    if (!options.device().equals(GpuOptions.SIMULATOR)) {
      return search;
    }
    Path folder = places.root().resolve("native-tests/simulator/target/lib");
    if (!Files.exists(folder.resolve("libcuda.so.1"))) {
      throw new IllegalStateException("the simulator is not built: folder=" + folder);
    }
    return DeviceOptions.simulated(folder, search).search().orElseThrow();
  }

  CudaDevice device() {
    return device;
  }

  /** The driver's own functions, in the device's context. */
  NativeDriver nativeDriver() {
    return nativeDriver;
  }

  /** The kernels, compiled for the device. */
  byte[] image() {
    return image.clone();
  }

  /** How a session gets it. */
  DeviceOptions deviceOptions() {
    return deviceOptions;
  }

  /** Whether the figures mean nothing, whatever the device was called when it was asked for. */
  boolean isSimulated() {
    return NativeDriver.SIMULATED;
  }

  /** For the page. */
  String description() {
    return "%s; driver %s serves CUDA %s; NVRTC %s".formatted(device.description(), loaded.driver().getFileName(),
      loaded.driverVersionText(), loaded.nvrtc().map(it -> it.file().getFileName() + ", " + it.place()).orElse(
        "none"));
  }

  @Override
  public void close() {
    device.close();
  }
}
