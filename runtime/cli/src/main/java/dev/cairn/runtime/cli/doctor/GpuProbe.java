package dev.cairn.runtime.cli.doctor;

import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaDriver;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.CudaProperties;
import dev.cairn.kernels.cuda.MemoryInfo;
import dev.cairn.kernels.cuda.compile.PrecompiledKernels;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import java.util.ArrayList;
import java.util.List;

/** Asks the driver for its GPUs; each is opened for a moment, which shows whether it can be used. */
final class GpuProbe {
  private GpuProbe() {}

  static List<GpuFacts> devices(LoadedCuda loaded) {
    List<GpuFacts> found = new ArrayList<>();
    for (int index = 0; index < loaded.devices(); index++) {
      found.add(device(loaded, index));
    }
    return found;
  }

  private static GpuFacts device(LoadedCuda loaded, int index) {
    CudaDriver driver;
    CudaProperties properties;
    try {
      driver = CudaDriver.initialize(loaded);
      properties = driver.properties(index);
    } catch (CudaFailure e) {
      return new GpuFacts(index, "unknown", "unknown", 0, 0, String.valueOf(e.getMessage()));
    }
    String capability = properties.major() + "." + properties.minor();
    try (CudaDevice device = CudaDevice.open(driver, index)) {
      MemoryInfo memory = device.memoryInfo();
      return new GpuFacts(index, properties.name(), capability, memory.totalBytes(), memory.freeBytes(), "");
    } catch (CudaFailure e) {
      return new GpuFacts(index, properties.name(), capability, properties.memoryBytes(), 0, String.valueOf(e
        .getMessage()));
    }
  }

  /** Whether kernels that were compiled at build time can serve here. */
  static PrecompiledFacts precompiled(LoadedCuda loaded) {
    if (loaded.nvrtc().isPresent()) {
      return PrecompiledFacts.NOT_NEEDED;
    }
    String evidence = "";
    for (int index = 0; index < loaded.devices(); index++) {
      try (CudaDevice device = CudaDevice.open(CudaDriver.initialize(loaded), index)) {
        PrecompiledKernels kernels = PrecompiledKernels.on(device);
        return new PrecompiledFacts(kernels.families(device.properties().architecture()), "made=" + kernels.made());
      } catch (CudaUnavailable | CudaFailure e) {
        evidence = String.valueOf(e.getMessage());
      }
    }
    return new PrecompiledFacts(0, evidence);
  }
}
