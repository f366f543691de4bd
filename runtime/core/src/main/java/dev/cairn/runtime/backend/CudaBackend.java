package dev.cairn.runtime.backend;

import dev.cairn.allocator.source.CudaSubAllocator;
import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.family.CudaKernels;
import dev.cairn.kernels.cuda.CudaDevice;
import dev.cairn.kernels.cuda.CudaDriver;
import dev.cairn.kernels.cuda.blas.Cublas;
import dev.cairn.kernels.cuda.blas.GemmPrecision;
import dev.cairn.kernels.cuda.compile.CompiledKernelCache;
import dev.cairn.kernels.cuda.compile.CudaCompiler;
import dev.cairn.kernels.cuda.compile.KernelCompiler;
import dev.cairn.kernels.cuda.compile.PrecompiledKernels;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import dev.cairn.runtime.executor.replay.CudaGraphReplay;
import java.util.Optional;

/** An NVIDIA GPU, with kernels that are compiled when a plan first needs them. */
public final class CudaBackend implements Backend {
  private final CudaDevice device;
  private final RunTarget target;
  private final CudaTransfers transfers;
  private final Optional<Cublas> cublas;
  private final CudaSubAllocator memory;
  private final KernelCatalog catalog;
  private final String reason;

  /**
   * What was asked for, beside the device.
   *
   * @param reason why it is this device, for people
   */
  public record Choice(DeviceOptions.FloatMath math, String reason) {
    GemmPrecision ofFloats() {
      return math == DeviceOptions.FloatMath.TF32 ? GemmPrecision.TENSOR_FLOAT32 : GemmPrecision.FLOAT32;
    }
  }

  private CudaBackend(CudaDevice device, KernelCompiler compiler, Optional<Cublas> cublas, Choice choice) {
    this.device = device;
    this.cublas = cublas;
    var library = new KernelLibrary(device, compiler, choice.ofFloats());
    this.catalog = cublas.map(it -> CudaKernels.catalog(library, it)).orElseGet(() -> CudaKernels.catalog(library));
    this.memory = CudaSubAllocator.of(device.id().ordinal());
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
   * @param ordinal which one, from 0
   * @param cache where compiled kernels are kept
   * @throws dev.cairn.kernels.cuda.CudaFailure when it cannot be opened
   * @throws dev.cairn.kernels.cuda.load.CudaUnavailable when there is no code for its kernels
   */
  public static CudaBackend open(LoadedCuda loaded, int ordinal, CompiledKernelCache cache, Choice choice) {
    CudaDevice device = CudaDevice.open(CudaDriver.initialize(loaded), ordinal);
    try {
      return open(loaded, device, compiler(loaded, device, cache), choice);
    } catch (RuntimeException | Error e) {
      device.close();
      throw e;
    }
  }

  private static KernelCompiler compiler(LoadedCuda loaded, CudaDevice device, CompiledKernelCache cache) {
    return loaded.nvrtc().isPresent() ? CudaCompiler.open(loaded, cache) : PrecompiledKernels.on(device);
  }

  private static CudaBackend open(LoadedCuda loaded, CudaDevice device, KernelCompiler compiler, Choice choice) {
    Optional<Cublas> cublas = loaded.cublas().map(_ -> Cublas.open(loaded, device));
    try {
      return new CudaBackend(device, compiler, cublas, choice);
    } catch (RuntimeException | Error e) {
      cublas.ifPresent(Cublas::close);
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
  public SubAllocator memory() {
    return memory;
  }

  @Override
  public String reason() {
    return reason;
  }

  @Override
  public void close() {
    try (device; memory; transfers) {
      cublas.ifPresent(Cublas::close);
    }
  }
}
