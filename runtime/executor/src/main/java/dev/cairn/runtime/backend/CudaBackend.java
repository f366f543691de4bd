package dev.cairn.runtime.backend;

import dev.cairn.allocator.source.CudaSource;
import dev.cairn.allocator.source.CudaSubAllocator;
import dev.cairn.allocator.source.CudaVirtualSubAllocator;
import dev.cairn.allocator.source.PinnedSubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaDriver;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.cuda.compile.CompiledKernelCache;
import dev.cairn.kernels.cuda.compile.CudaCompiler;
import dev.cairn.kernels.cuda.compile.KernelCompiler;
import dev.cairn.kernels.cuda.compile.PrecompiledKernels;
import dev.cairn.kernels.cuda.convolution.ChosenKernels;
import dev.cairn.kernels.cuda.convolution.ConvolutionChoice;
import dev.cairn.kernels.cuda.convolution.KernelTimer;
import dev.cairn.kernels.cuda.convolution.MeasuredConvolution;
import dev.cairn.kernels.cuda.dnn.CudnnOnDemand;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import dev.cairn.kernels.row.CudaKernels;
import dev.cairn.kernels.row.StandardKernels;
import dev.cairn.runtime.custom.OperatorRegistry;
import dev.cairn.runtime.executor.replay.CudaGraphReplay;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An NVIDIA GPU. Its kernels are compiled when a plan first needs them. */
public final class CudaBackend implements Backend {
  private static final Logger LOG = LoggerFactory.getLogger(CudaBackend.class);

  private final CudaDevice device;
  private final RunTarget target;
  private final CudaTransfers transfers;
  private final Libraries libraries;
  private final CudaSource memory;
  private final KernelLibrary library;
  private final KernelCatalog catalog;
  private final String reason;

  /**
   * Options of a GPU's backend, apart from the device.
   *
   * @param search where to look for cuDNN
   * @param virtualMemory whether memory is mapped on demand into one range of addresses
   * @param reason why this device was chosen, as text for users
   */
  public record Choice(DeviceOptions.FloatMath math, DeviceOptions.Convolutions convolutions, CudaSearch search,
    boolean virtualMemory, String reason) {
    GemmPrecision ofFloats() {
      return math == DeviceOptions.FloatMath.TF32 ? GemmPrecision.TENSOR_FLOAT32 : GemmPrecision.FLOAT32;
    }
  }

  /** Libraries that build on the driver, opened for this device. */
  private record Libraries(Optional<Cublas> cublas, CudnnOnDemand cudnn) implements AutoCloseable {
    static Libraries open(LoadedCuda loaded, CudaDevice device, Choice choice) {
      Optional<Cublas> cublas = loaded.cublas().map(_ -> Cublas.open(loaded, device));
      try {
        return new Libraries(cublas, CudnnOnDemand.of(choice.search(), loaded, device));
      } catch (RuntimeException | Error e) {
        cublas.ifPresent(Cublas::close);
        throw e;
      }
    }

    KernelCatalog catalog(KernelLibrary library, DeviceOptions.Convolutions convolutions) {
      return switch (convolutions) {
        case OWN -> cublas.map(it -> CudaKernels.catalog(library, it)).orElseGet(() -> CudaKernels.catalog(library));
        case MEASURED -> catalog(library, ConvolutionChoice.MEASURED);
        case CUDNN -> catalog(library, ConvolutionChoice.CUDNN);
      };
    }

    private KernelCatalog catalog(KernelLibrary library, ConvolutionChoice how) {
      return CudaKernels.catalog(library, cublas, new MeasuredConvolution(library, cublas, cudnn, how,
        ChosenKernels.OF_PROCESS, KernelTimer.ofDevice()));
    }

    @Override
    public void close() {
      try (cudnn) {
        cublas.ifPresent(Cublas::close);
      }
    }
  }

  private CudaBackend(CudaDevice device, KernelCompiler compiler, Libraries libraries, Choice choice) {
    this.device = device;
    this.libraries = libraries;
    this.library = new KernelLibrary(device, compiler, choice.ofFloats());
    this.catalog = libraries.catalog(library, choice.convolutions());
    int ordinal = device.id().ordinal();
    this.memory = choice.virtualMemory() ? CudaVirtualSubAllocator.of(ordinal) : CudaSubAllocator.of(ordinal);
    try {
      this.transfers = new CudaTransfers(device);
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
    this.target = new RunTarget(device, transfers, CudaGraphReplay.INSTANCE);
    this.reason = choice.reason();
  }

  /**
   * Opens a GPU.
   *
   * @param ordinal the GPU's number, from 0
   * @param cache keeps compiled kernels
   * @throws dev.cairn.kernels.cuda.CudaFailure if the driver cannot open it
   * @throws dev.cairn.kernels.cuda.load.CudaUnavailable if there is no code for its kernels
   */
  public static CudaBackend open(LoadedCuda loaded, int ordinal, CompiledKernelCache cache, Choice choice) {
    CudaDevice device = CudaDevice.open(CudaDriver.initialize(loaded), ordinal);
    try {
      return open(loaded, device, compiler(loaded, device, cache), choice);
    } catch (RuntimeException | Error e) {
      close(device);
      throw e;
    }
  }

  private static KernelCompiler compiler(LoadedCuda loaded, CudaDevice device, CompiledKernelCache cache) {
    return loaded.nvrtc().isPresent() ? CudaCompiler.open(loaded, cache) : PrecompiledKernels.on(device);
  }

  private static CudaBackend open(LoadedCuda loaded, CudaDevice device, KernelCompiler compiler, Choice choice) {
    Libraries libraries = Libraries.open(loaded, device, choice);
    try {
      return new CudaBackend(device, compiler, libraries, choice);
    } catch (RuntimeException | Error e) {
      libraries.close();
      throw e;
    }
  }

  @Override
  public RunTarget target() {
    return target;
  }

  @Override
  public KernelCatalog catalog() {
    return catalog;
  }

  @Override
  public KernelCatalog catalog(OperatorRegistry operators) {
    return operators.onCuda(catalog, library);
  }

  @Override
  public KernelCatalog hostCatalog() {
    return StandardKernels.catalog();
  }

  @Override
  public String kernels() {
    return libraries.cublas().isPresent() ? "CUDA C, cuBLAS, and cuDNN if it is installed and enabled" : "CUDA C";
  }

  @Override
  public SubAllocator memory() {
    return memory;
  }

  @Override
  public PinnedSubAllocator newPageLockedMemory() {
    return PinnedSubAllocator.of(device.id().ordinal());
  }

  @Override
  public String reason() {
    return reason;
  }

  @Override
  public void close() {
    try (memory; transfers) {
      libraries.close();
    } finally {
      close(device);
    }
  }

  /** A call that the driver refused is made once more: otherwise the context would stay, with everything in it. */
  private static void close(CudaDevice device) {
    try {
      device.close();
    } catch (CudaFailure e) {
      LOG.warn("a GPU was not closed at the first attempt: device={} reason={}", device.id(), e.toString());
    }
    // Does nothing, unless a call was refused or the context seemed lost.
    device.close();
  }
}
