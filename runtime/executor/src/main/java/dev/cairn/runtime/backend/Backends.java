package dev.cairn.runtime.backend;

import dev.cairn.allocator.source.SubAllocator;
import dev.cairn.kernels.cuda.CudaFailure;
import dev.cairn.kernels.cuda.compile.CompiledKernelCache;
import dev.cairn.kernels.cuda.load.CudaLibraries;
import dev.cairn.kernels.cuda.load.CudaSearch;
import dev.cairn.kernels.cuda.load.CudaUnavailable;
import dev.cairn.kernels.cuda.load.LoadedCuda;
import dev.cairn.kernels.onednn.OneDnn;
import dev.cairn.kernels.onednn.OneDnnProvider;
import dev.cairn.kernels.row.ProcessorKernels;
import dev.cairn.kernels.row.ProcessorKernels.Wanted;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens backends. This class alone decides between a GPU and the processor. */
public final class Backends {
  private static final Logger LOG = LoggerFactory.getLogger(Backends.class);

  /** Missing libraries and devices that the log has mentioned: once in a process is enough. */
  private static final Set<String> LACKS_TOLD = ConcurrentHashMap.newKeySet();

  /** The first model that is opened needs the processor's kernels; later ones find them loaded. */
  private static final AtomicBoolean LOADING_BEGUN = new AtomicBoolean();

  private Backends() {}

  /**
   * The source of a backend's memory.
   *
   * @param onHost source of host memory
   * @param isVirtual whether a GPU's memory is mapped on demand into one range of addresses
   */
  public record MemorySource(SubAllocator onHost, boolean isVirtual) {
    /** Host memory from this source; a GPU's memory comes from plain allocation calls of its driver. */
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
   * Opens the requested device. For {@link DeviceOptions.Kind#AUTO}, opens the processor if no GPU is usable. The log
   * says so once, and {@link Backend#reason} says so at any time.
   *
   * @param threads the number of threads that one processor kernel may use
   * @param memory the source of the backend's memory
   * @throws CudaUnavailable if the options name or require a GPU and none is usable
   * @throws IllegalArgumentException if {@code memory} is virtual and the processor is opened
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
   * Opens the processor for a model that the GPU has no kernels for, if the options allow any device. The log says so
   * once.
   *
   * @param opened the GPU's backend, which stays open
   * @param lack thrown again if the options do not allow the processor
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
   * Opens the requested processor kernels that this machine has. The log says once which are missing.
   *
   * @param threads the number of threads that one kernel may use
   */
  public static ProcessorKernels processorKernels(DeviceOptions wanted, int threads) {
    CudaSearch search = search(wanted);
    ProcessorKernels kernels = ProcessorKernels.open(wanted.kernels(), it -> OneDnnProvider.open(OneDnn.load(search
      .cacheFolder(), search.userCache("natives"), LOG::info), it, wanted.kernels() == Wanted.WINOGRAD), threads);
    kernels.lack().filter(LACKS_TOLD::add).ifPresent(it -> LOG.warn("slower kernels serve on the processor: {}",
      it));
    return kernels;
  }

  /**
   * Begins to load the kernels that {@link #open} will need, on another thread, while the caller reads a model. Loading
   * a library takes as long as reading a small model. {@link #open} meets a failure again, and reports it.
   */
  public static void beginLoading(DeviceOptions wanted) {
    if (wanted.kind() == DeviceOptions.Kind.CPU && !wanted.required() && LOADING_BEGUN.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("cairn-loading").uncaughtExceptionHandler((_, failure) -> LOG.debug(
        "kernels were not loaded beside the model", failure)).start(() -> processorKernels(wanted, 1).close());
    }
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

  /** The cache of compiled kernels, in the folder that also holds the native libraries. */
  private static CompiledKernelCache cache(CudaSearch search) {
    return search.cacheFolder().map(it -> it.resolve("kernels")).or(() -> search.userCache("kernels")).map(
      CompiledKernelCache::in).orElseGet(CompiledKernelCache::none);
  }
}
