package dev.cairn.runtime.ndarray.memory;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.bfc.BfcAllocator;
import dev.cairn.allocator.bfc.BfcOptions;
import dev.cairn.allocator.source.SharedMemory;
import dev.cairn.runtime.backend.Transfers;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The {@link HostPlace}s of a runtime, each made at its first use. Thread-safe. */
public final class HostPlaces implements AutoCloseable {
  static final String PINNED = "cpu_pinned";
  public static final String SHARED = "cpu_shared";

  private final long limitBytes;
  private @Nullable HostPlace pinned;
  private @Nullable HostPlace shared;
  private @Nullable SharedMemory memory;

  HostPlaces(ArrayMemory memory) {
    this.limitBytes = memory.limitBytes();
  }

  static boolean isOne(String name) {
    return name.equals(PINNED) || name.equals(SHARED);
  }

  /**
   * Page-locked memory, that of a GPU.
   *
   * @throws IllegalArgumentException when the runtime has no GPU
   */
  synchronized HostPlace pinned(Optional<Transfers> gpu) {
    HostPlace known = pinned;
    if (known == null) {
      Transfers owner = gpu.orElseThrow(() -> new IllegalArgumentException("page-locked memory is a GPU's, and this "
        + "runtime has no GPU: place=cpu_pinned; name one in ArrayOptions, as withDevices(\"cuda:0\")"));
      known = new HostPlace(PINNED, owner.staging(), true);
      pinned = known;
    }
    return known;
  }

  /** Memory that other processes map by name: each array has its own. */
  public synchronized HostPlace shared() {
    HostPlace known = shared;
    if (known == null) {
      var source = new SharedMemory();
      known = new HostPlace(SHARED, new BfcAllocator(source, BfcOptions.DEFAULT.withLimitBytes(limitBytes).withPooling(
        BfcOptions.Pooling.NONE)), false);
      memory = source;
      shared = known;
    }
    return known;
  }

  /** The name by which other processes map the shared memory at this address. */
  public synchronized String sharedName(long address) {
    SharedMemory source = memory;
    if (source == null) {
      throw new IllegalStateException("no shared memory: address=0x%x".formatted(address));
    }
    return source.nameOf(address);
  }

  /** Adds the figures of the shared memory, if there is any. */
  synchronized void addStats(Map<String, AllocatorStats> stats) {
    HostPlace known = shared;
    if (known != null) {
      stats.put(SHARED, known.allocator().stats());
    }
  }

  /** Gives all shared memory back. */
  @Override
  public synchronized void close() {
    HostPlace known = shared;
    if (known != null) {
      shared = null;
      known.allocator().close();
    }
  }

  /** Like {@link #close}, also the memory of arrays that nothing can reach any more. */
  synchronized void abandon() {
    HostPlace known = shared;
    if (known != null && known.allocator() instanceof BfcAllocator pool) {
      shared = null;
      pool.abandon();
    }
  }
}
