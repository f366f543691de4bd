package dev.cairn.allocator.storage;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.RunningGauge;
import dev.cairn.allocator.SizedGauges;

/** The running figures of one allocator. Guarded by its lock. */
final class Figures {
  private final long limitBytes;
  private final SizedGauges blocks = new SizedGauges();
  private final RunningGauge pool = new RunningGauge();
  private final RunningGauge regions = new RunningGauge();
  private final RunningGauge prefixes = new RunningGauge();
  private final RunningGauge prefixBytes = new RunningGauge();
  private final RunningGauge bypass = new RunningGauge();
  private long nextAllocationId;
  private long refusals;
  private long reserves;

  Figures(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  long nextAllocationId() {
    return nextAllocationId;
  }

  void held(Chunk chunk) {
    nextAllocationId++;
    blocks.granted(chunk.blockBytes(), chunk.requestedBytes);
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
    blocks.freed(chunk.blockBytes(), chunk.requestedBytes);
    if (chunk.prefixBytes > 0) {
      prefixes.subtract(1);
      prefixBytes.subtract(chunk.prefixBytes);
    }
    if (chunk.isBypass) {
      bypass.subtract(chunk.blockBytes());
    }
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
    return blocks.all().count();
  }

  boolean hasPrefixes() {
    return prefixes.current() > 0;
  }

  void clear() {
    blocks.clear();
    for (RunningGauge gauge : new RunningGauge[] {pool, regions, prefixes, prefixBytes, bypass}) {
      gauge.clear();
    }
    refusals = 0;
    reserves = 0;
  }

  AllocatorStats now(long largestFreeBytes, long timeHeldBytes) {
    return new AllocatorStats(blocks.all().blocks(), blocks.small().blocks(), blocks.large().blocks(), pool.gauge(),
      regions.gauge(), prefixes.gauge(), prefixBytes.gauge(), bypass.gauge(), limitBytes, blocks.largestBytes(),
      largestFreeBytes, timeHeldBytes, refusals, reserves);
  }
}
