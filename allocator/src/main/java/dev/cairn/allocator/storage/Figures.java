package dev.cairn.allocator.storage;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.RunningGauge;

/** The running figures of one allocator. Guarded by its lock. */
final class Figures {
  private final long limitBytes;
  private final Held small = new Held();
  private final Held large = new Held();
  private final Held all = new Held();
  private final RunningGauge pool = new RunningGauge();
  private final RunningGauge regions = new RunningGauge();
  private final RunningGauge prefixes = new RunningGauge();
  private final RunningGauge prefixBytes = new RunningGauge();
  private final RunningGauge bypass = new RunningGauge();
  private long nextAllocationId;
  private long largestBytes;
  private long refusals;
  private long reserves;

  private static final class Held {
    private final RunningGauge count = new RunningGauge();
    private final RunningGauge bytes = new RunningGauge();
    private final RunningGauge requestedBytes = new RunningGauge();

    void add(Chunk chunk) {
      count.add(1);
      bytes.add(chunk.blockBytes());
      requestedBytes.add(chunk.requestedBytes);
    }

    void remove(Chunk chunk) {
      count.subtract(1);
      bytes.subtract(chunk.blockBytes());
      requestedBytes.subtract(chunk.requestedBytes);
    }

    void clear() {
      count.clear();
      bytes.clear();
      requestedBytes.clear();
    }

    AllocatorStats.Blocks now() {
      return new AllocatorStats.Blocks(count.gauge(), bytes.gauge(), requestedBytes.gauge());
    }
  }

  Figures(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  long nextAllocationId() {
    return nextAllocationId;
  }

  void held(Chunk chunk) {
    nextAllocationId++;
    all.add(chunk);
    ofSize(chunk).add(chunk);
    largestBytes = Math.max(largestBytes, chunk.blockBytes());
    if (chunk.prefixBytes > 0) {
      prefixes.add(1);
      prefixBytes.add(chunk.prefixBytes);
    }
    if (chunk.isBypass) {
      reserves++;
      bypass.add(chunk.blockBytes());
    }
  }

  /** The chunk, still as it was held, is about to be let go. */
  void letGo(Chunk chunk) {
    all.remove(chunk);
    ofSize(chunk).remove(chunk);
    if (chunk.prefixBytes > 0) {
      prefixes.subtract(1);
      prefixBytes.subtract(chunk.prefixBytes);
    }
    if (chunk.isBypass) {
      bypass.subtract(chunk.blockBytes());
    }
  }

  private Held ofSize(Chunk chunk) {
    return chunk.blockBytes() <= AllocatorStats.SMALL_BYTES ? small : large;
  }

  void regionAdded(long bytes) {
    pool.add(bytes);
    regions.add(1);
  }

  void regionReleased(long bytes) {
    pool.subtract(bytes);
    regions.subtract(1);
  }

  void refused() {
    refusals++;
  }

  long poolBytes() {
    return pool.current();
  }

  long liveCount() {
    return all.count.current();
  }

  boolean hasPrefixes() {
    return prefixes.current() > 0;
  }

  void clear() {
    for (Held held : new Held[] {all, small, large}) {
      held.clear();
    }
    for (RunningGauge gauge : new RunningGauge[] {pool, regions, prefixes, prefixBytes, bypass}) {
      gauge.clear();
    }
    largestBytes = 0;
    refusals = 0;
    reserves = 0;
  }

  AllocatorStats now(long largestFreeBytes, long timeHeldBytes) {
    return new AllocatorStats(all.now(), small.now(), large.now(), pool.gauge(), regions.gauge(), prefixes.gauge(),
      prefixBytes.gauge(), bypass.gauge(), limitBytes, largestBytes, largestFreeBytes, timeHeldBytes, refusals,
      reserves);
  }
}
