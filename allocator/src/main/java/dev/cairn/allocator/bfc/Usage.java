package dev.cairn.allocator.bfc;

import dev.cairn.allocator.AllocatorStats;
import dev.cairn.allocator.RunningGauge;
import dev.cairn.allocator.SizedGauges;

/** The running figures of one allocator. Not safe for many threads. */
final class Usage {
  private final long limitBytes;
  private final SizedGauges blocks = new SizedGauges();
  private final RunningGauge pool = new RunningGauge();
  private final RunningGauge regions = new RunningGauge();
  private final RunningGauge freeSplits = new RunningGauge();
  private final RunningGauge freeSplitBytes = new RunningGauge();
  private final RunningGauge bypass = new RunningGauge();
  private long grants;
  private long operations;
  private long idleRegions;
  private long idleBytes;
  private long refusals;
  private long reserves;
  private long movedBytes;

  Usage(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** The id of the next grant. */
  long nextAllocationId() {
    return grants;
  }

  void granted(long bytes, long requestedBytes) {
    grants++;
    blocks.granted(bytes, requestedBytes);
  }

  void freed(long bytes, long requestedBytes) {
    blocks.freed(bytes, requestedBytes);
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

  /** The region has not stayed in this state. */
  void roused(long bytes) {
    idleRegions--;
    idleBytes -= bytes;
  }

  /** Ends an operation, after which there are {@code freeChunks} free chunks. */
  void settle(int freeChunks) {
    operations++;
    freeSplits.set(freeChunks - idleRegions);
    freeSplitBytes.set(pool.current() - idleBytes - bytesInUse());
  }

  /** How many operations there were: a time that passes only when something happens. */
  long operations() {
    return operations;
  }

  void reserved(long bytes) {
    reserves++;
    bypass.add(bytes);
  }

  void unreserved(long bytes) {
    bypass.subtract(bytes);
  }

  /** A block of so many requested bytes moved. */
  void moved(long requestedBytes) {
    movedBytes += requestedBytes;
  }

  /** Bytes that moved since the start or the last reset. */
  long movedBytes() {
    return movedBytes;
  }

  void refused() {
    refusals++;
  }

  void clear() {
    blocks.clear();
    for (RunningGauge gauge : new RunningGauge[] {pool, regions, freeSplits, freeSplitBytes, bypass}) {
      gauge.clear();
    }
    refusals = 0;
    reserves = 0;
    movedBytes = 0;
  }

  long limitBytes() {
    return limitBytes;
  }

  long poolBytes() {
    return pool.current();
  }

  long bytesInUse() {
    return blocks.all().bytes();
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
    return blocks.all().count();
  }

  AllocatorStats snapshot(long largestFreeBytes, long timeHeldBytes) {
    return new AllocatorStats(blocks.all().blocks(), blocks.small().blocks(), blocks.large().blocks(), pool.gauge(),
      regions.gauge(), freeSplits.gauge(), freeSplitBytes.gauge(), bypass.gauge(), limitBytes, blocks.largestBytes(),
      largestFreeBytes, timeHeldBytes, refusals, reserves, movedBytes);
  }
}
