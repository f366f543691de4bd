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

  private CudaBackend(CudaDevice device, KernelCompiler compiler, Optional<Cublas> cublas, String reason) {
    this.device = device;
    this.cublas = cublas;
    var library = new KernelLibrary(device, compiler);
    this.catalog = cublas.map(it -> CudaKernels.catalog(library, it, GemmPrecision.FLOAT32)).orElseGet(
      () -> CudaKernels.catalog(library));
    this.memory = CudaSubAllocator.of(device.id().ordinal());
    try {
      this.transfers = new CudaTransfers(device);
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
    this.target = new RunTarget(device, transfers, CudaGraphReplay.INSTANCE);
    this.reason = reason;
  }

  /**
   * Opens a GPU.
   *
   * @param ordinal which one, from 0
   * @param cache where compiled kernels are kept
   * @param reason why it is this one, for people
   * @throws dev.cairn.kernels.cuda.CudaFailure when it cannot be opened
   * @throws dev.cairn.kernels.cuda.load.CudaUnavailable when there is no code for its kernels
   */
  public static CudaBackend open(LoadedCuda loaded, int ordinal, CompiledKernelCache cache, String reason) {
    CudaDevice device = CudaDevice.open(CudaDriver.initialize(loaded), ordinal);
    try {
      return open(loaded, device, compiler(loaded, device, cache), reason);
    } catch (RuntimeException | Error e) {
      device.close();
      throw e;
    }
  }

  private static KernelCompiler compiler(LoadedCuda loaded, CudaDevice device, CompiledKernelCache cache) {
    return loaded.nvrtc().isPresent() ? CudaCompiler.open(loaded, cache) : PrecompiledKernels.on(device);
  }

  private static CudaBackend open(LoadedCuda loaded, CudaDevice device, KernelCompiler compiler, String reason) {
    Optional<Cublas> cublas = loaded.cublas().map(_ -> Cublas.open(loaded, device));
    try {
      return new CudaBackend(device, compiler, cublas, reason);
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
