package dev.cairn.runtime.backend;

import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.catalog.family.ProcessorKernels;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.compile.CompiledKernelCache;
import dev.cairn.kernels.cuda.load.CudaLibraries;
import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import dev.cairn.kernels.onednn.OneDnn;
import dev.cairn.kernels.onednn.OneDnnProvider;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens backends: the one place that decides between a GPU and the processor. */
public final class Backends {
  private static final Logger LOG = LoggerFactory.getLogger(Backends.class);

  /** What was told of already: once for the process is enough. */
  private static final Set<String> LACKS_TOLD = ConcurrentHashMap.newKeySet();

  private Backends() {}

  /**
   * Where a backend's memory comes from.
   *
   * @param onHost the source of the processor's memory
   * @param isVirtual whether a GPU's memory is mapped, as it is needed, into one range of addresses
   */
  public record MemorySource(SubAllocator onHost, boolean isVirtual) {
    /** A GPU's memory comes from its driver's plain calls. */
    public static MemorySource of(SubAllocator onHost) {
      return new MemorySource(onHost, false);
    }

    private SubAllocator host() {
      if (isVirtual) {
        throw new IllegalArgumentException("memory grows by virtual addresses on a GPU only: device=cpu");
      }
      return onHost;
    }
  }

  /**
   * Opens the device asked for. Where any will do and no GPU can be used, that is the processor, which the log says
   * once, and {@link Backend#reason} at any time.
   *
   * @param threads that one kernel of the processor may use
   * @param memory where it comes from
   * @throws CudaUnavailable when a GPU is named or required and there is none
   * @throws IllegalArgumentException when virtual memory is asked for and the processor serves
   */
  public static Backend open(DeviceOptions wanted, int threads, MemorySource memory) {
    if (wanted.kind() == DeviceOptions.Kind.CPU && !wanted.required()) {
      return host(wanted, threads, memory.host(), "as asked for");
    }
    try {
      return openCuda(wanted, memory.isVirtual());
    } catch (CudaUnavailable e) {
      if (wanted.required()) {
        throw e;
      }
      SubAllocator source = memory.host();
      LOG.warn("no GPU can be used, so the processor serves: {}", e.getMessage());
      return host(wanted, threads, source, "no GPU: " + e.reason().words());
    }
  }

  /**
   * The processor for a model that the GPU has no kernels for, where any device will do; it is told once.
   *
   * @param opened for what was asked for, which stays open
   * @param lack thrown again where the processor may not serve instead
   */
  public static Backend insteadOf(Backend opened, DeviceOptions wanted, RuntimeException lack, int threads,
    MemorySource memory) {
    if (!wanted.mayFallBack() || opened.target().isHost()) {
      throw lack;
    }
    SubAllocator source = memory.host();
    LOG.warn("the GPU has no kernels for this model, so the processor serves: {}", lack.getMessage());
    return host(wanted, threads, source, "the GPU lacks kernels");
  }

  /**
   * Opens the processor's kernels that are asked for and there; the log says once what is not there.
   *
   * @param threads that one kernel may use
   */
  public static ProcessorKernels processorKernels(DeviceOptions wanted, int threads) {
    CudaSearch search = search(wanted);
    ProcessorKernels kernels = ProcessorKernels.open(wanted.kernels(), it -> OneDnnProvider.open(OneDnn.load(search
      .cacheFolder(), search.userCache("natives"), LOG::info), it), threads);
    kernels.lack().filter(LACKS_TOLD::add).ifPresent(it -> LOG.warn("slower kernels serve, since one library cannot be "
      + "used: {}", it));
    return kernels;
  }

  private static Backend host(DeviceOptions wanted, int threads, SubAllocator memory, String reason) {
    return new HostBackend(threads, memory, reason, processorKernels(wanted, threads));
  }

  private static CudaSearch search(DeviceOptions wanted) {
    return wanted.search().orElseGet(() -> CudaSearch.of(System.getenv()));
  }

  private static Backend openCuda(DeviceOptions wanted, boolean virtualMemory) {
    CudaSearch search = search(wanted);
    LoadedCuda loaded = CudaLibraries.load(search);
    if (wanted.ordinal() >= loaded.devices()) {
      throw new CudaUnavailable(CudaUnavailable.Reason.NO_DEVICE, Map.of("device", "cuda:" + wanted.ordinal(),
        "devices", String.valueOf(loaded.devices())));
    }
    String reason = wanted.kind() == DeviceOptions.Kind.AUTO ? "there is one" : "as asked for";
    try {
      return CudaBackend.open(loaded, wanted.ordinal(), cache(search), new CudaBackend.Choice(wanted.math(), wanted
        .convolutions(), search, virtualMemory, reason));
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
