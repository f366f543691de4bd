package dev.cairn.runtime.backend;

import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.compile.CompiledKernelCache;
import dev.cairn.kernels.cuda.load.CudaLibraries;
import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens backends: the one place that decides between a GPU and the processor. */
public final class Backends {
  private static final Logger LOG = LoggerFactory.getLogger(Backends.class);

  private Backends() {}

  /**
   * Opens what is asked for, or the processor where no GPU can be used and none is required, and says so once.
   *
   * @param threads that one kernel of the processor may use
   * @param hostMemory where the processor's memory comes from
   * @throws CudaUnavailable when a GPU is required and there is none
   */
  public static Backend open(DeviceOptions wanted, int threads, SubAllocator hostMemory) {
    if (wanted.kind() == DeviceOptions.Kind.CPU && !wanted.required()) {
      return new HostBackend(threads, hostMemory, "as asked for");
    }
    try {
      return openCuda(wanted);
    } catch (CudaUnavailable e) {
      if (wanted.required()) {
        throw e;
      }
      tell(wanted, e);
      return new HostBackend(threads, hostMemory, "no GPU: " + e.reason().words());
    }
  }

  /**
   * The processor for a model that the GPU has no kernels for, where any device will do; it is told once.
   *
   * @param opened for what was asked for, which stays open
   * @param lack thrown again where the processor may not serve instead
   */
  public static Backend insteadOf(Backend opened, DeviceOptions wanted, RuntimeException lack, int threads,
    SubAllocator hostMemory) {
    if (wanted.kind() != DeviceOptions.Kind.AUTO || wanted.required() || opened.target().isHost()) {
      throw lack;
    }
    LOG.warn("the GPU has no kernels for this model, so the processor serves: {}", lack.getMessage());
    return new HostBackend(threads, hostMemory, "the GPU lacks kernels");
  }

  private static void tell(DeviceOptions wanted, CudaUnavailable why) {
    if (wanted.kind() == DeviceOptions.Kind.CUDA) {
      LOG.warn("no GPU can be used, so the processor serves: {}", why.getMessage());
    } else {
      LOG.info("no GPU can be used, so the processor serves: {}", why.getMessage());
    }
  }

  private static Backend openCuda(DeviceOptions wanted) {
    CudaSearch search = wanted.search().orElseGet(() -> CudaSearch.of(System.getenv()));
    LoadedCuda loaded = CudaLibraries.load(search);
    if (wanted.ordinal() >= loaded.devices()) {
      throw new CudaUnavailable(CudaUnavailable.Reason.NO_DEVICE, Map.of("device", "cuda:" + wanted.ordinal(),
        "devices", String.valueOf(loaded.devices())));
    }
    String reason = wanted.kind() == DeviceOptions.Kind.AUTO ? "there is one" : "as asked for";
    try {
      return CudaBackend.open(loaded, wanted.ordinal(), cache(search), new CudaBackend.Choice(wanted.math(), wanted
        .convolutions(), search, reason));
    } catch (CudaFailure e) {
      throw new CudaUnavailable(CudaUnavailable.Reason.NO_DEVICE, Map.of("device", "cuda:" + wanted.ordinal(),
        "evidence", String.valueOf(e.getMessage())));
    }
  }

  /** Beside the natives. */
  private static CompiledKernelCache cache(CudaSearch search) {
    return search.cacheFolder().map(it -> it.resolve("kernels")).or(() -> search.userCache("kernels")).map(
      CompiledKernelCache::in).orElseGet(CompiledKernelCache::none);
  }
}
