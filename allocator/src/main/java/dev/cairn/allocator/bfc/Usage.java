package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.RunningGauge;

/** The running figures of one allocator. Not safe for many threads. */
final class Usage {
  private final long limitBytes;
  private final BlockTallies small = new BlockTallies();
  private final BlockTallies large = new BlockTallies();
  private final BlockPeaks all = new BlockPeaks();
  private final RunningGauge pool = new RunningGauge();
  private final RunningGauge regions = new RunningGauge();
  private final SplitTallies freeSplits = new SplitTallies();
  private final RunningGauge bypass = new RunningGauge();
  private long grants;
  private long operations;
  private long idleRegions;
  private long idleBytes;
  private long largestBytes;
  private long refusals;
  private long reserves;

  Usage(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** The id of the next grant. */
  long nextAllocationId() {
    return grants;
  }

  void granted(long bytes, long requestedBytes) {
    grants++;
    sized(bytes).granted(1, bytes, requestedBytes);
    small.reach(large, all);
    if (bytes > largestBytes) {
      largestBytes = bytes;
    }
  }

  void freed(long bytes, long requestedBytes) {
    sized(bytes).freed(1, bytes, requestedBytes);
    all.freed(1, bytes, requestedBytes);
  }

  private BlockTallies sized(long bytes) {
    return bytes <= AllocatorStats.SMALL_BYTES ? small : large;
  }

  void regionAdded(long bytes) {
    pool.add(bytes);
    regions.add(1);
  }

  void regionReleased(long bytes) {
    pool.subtract(bytes);
    regions.subtract(1);
  }

  /** A region of {@code bytes} became one free chunk. */
  void idled(long bytes) {
    idleRegions++;
    idleBytes += bytes;
  }

  /** Such a region did not stay so. */
  void roused(long bytes) {
    idleRegions--;
    idleBytes -= bytes;
  }

  /** Ends an operation, after which there are {@code freeChunks} free chunks. */
  void settle(int freeChunks) {
    operations++;
    freeSplits.set(freeChunks - idleRegions, pool.current() - idleBytes - bytesInUse());
  }

  /** Ends a grant of {@code bytes} from free chunks that share a region with blocks: {@code fewer} are left. */
  void settleGrant(int fewer, long bytes) {
    operations++;
    freeSplits.fall(fewer, bytes);
  }

  /** Ends a free of {@code bytes} beside other blocks of a region: there are {@code more} free chunks, or fewer. */
  void settleFree(int more, long bytes) {
    operations++;
    freeSplits.rise(more, bytes);
  }

  /** How many operations there were: a time that passes only when something happens. */
  long operations() {
    return operations;
  }

  long reservedBytes() {
    return bypass.current();
  }

  void reserved(long bytes) {
    reserves++;
    bypass.add(bytes);
  }

  void unreserved(long bytes) {
    bypass.subtract(bytes);
  }

  void refused() {
    refusals++;
  }

  /** What is held of the pool at one moment. */
  record Held(long smallCount, long smallBytes, long smallRequested, long largeCount, long largeBytes,
    long largeRequested, long bypassBytes, long idleRegions, long idleBytes) {}

  Held held() {
    return new Held(small.count(), small.bytes(), small.requested(), large.count(), large.bytes(), large.requested(),
      bypass.current(), idleRegions, idleBytes);
  }

  /** Counts all that is held as freed, and what was held then as granted. */
  void hold(Held then) {
    all.freed(liveCount(), bytesInUse(), small.requested() + large.requested());
    small.hold(then.smallCount, then.smallBytes, then.smallRequested);
    large.hold(then.largeCount, then.largeBytes, then.largeRequested);
    small.reach(large, all);
    bypass.set(then.bypassBytes);
    idleRegions = then.idleRegions;
    idleBytes = then.idleBytes;
  }

  void clear() {
    small.clearWith(large, all);
    small.clear();
    large.clear();
    for (RunningGauge gauge : new RunningGauge[] {pool, regions, bypass}) {
      gauge.clear();
    }
    freeSplits.clear();
    largestBytes = 0;
    refusals = 0;
    reserves = 0;
  }

  long limitBytes() {
    return limitBytes;
  }

  long poolBytes() {
    return pool.current();
  }

  long bytesInUse() {
    return small.bytes() + large.bytes();
  }

  /**
   * Whether the pool would be larger than it ever was with {@code bytes} more; not where the limit leaves no room for
   * them, whatever is given back.
   */
  boolean wouldPeak(long bytes) {
    return bytes > pool.peak() - pool.current() && bytes <= limitBytes - bytesInUse();
  }

  long freeBytes() {
    return pool.current() - bytesInUse();
  }

  long liveCount() {
    return small.count() + large.count();
  }

  AllocatorStats snapshot(long largestFreeBytes, long timeHeldBytes) {
    return new AllocatorStats(small.blocksWith(large, all), small.blocks(), large.blocks(), pool.gauge(),
      regions.gauge(),
      freeSplits.countGauge(), freeSplits.bytesGauge(), bypass.gauge(), limitBytes, largestBytes, largestFreeBytes,
      timeHeldBytes, refusals, reserves);
  }
}
