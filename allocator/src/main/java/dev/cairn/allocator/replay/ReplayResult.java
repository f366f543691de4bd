package dev.cairn.allocator.replay;

/**
 * The memory that a trace took under a policy.
 *
 * @param policy the policy's name
 * @param limitBytes the most that the pool was allowed
 * @param events grants and frees replayed
 * @param peakLiveBytes the most bytes, as asked for, that the trace has live at one time, all refused ones included
 * @param peakReservedBytes the most bytes that the pool held
 * @param fragmentation the allocator's own figure when the trace was at its peak: the part of the free bytes outside
 *     the largest free chunk
 * @param peakRegions the most regions that the pool had
 * @param refusals grants that could not be met
 * @param nanos how long it took
 */
public record ReplayResult(String policy, long limitBytes, int events, long peakLiveBytes, long peakReservedBytes,
  double fragmentation, long peakRegions, long refusals, long nanos) {

  /** How many times the unavoidable was reserved; 1 where nothing had to be. */
  public double reservedPerLive() {
    return peakLiveBytes == 0 ? 1 : (double) peakReservedBytes / peakLiveBytes;
  }

  /** Events a second. */
  public double eventsPerSecond() {
    return events * 1e9 / Math.max(1, nanos);
  }

  /** Whether every grant was met. */
  public boolean isServed() {
    return refusals == 0;
  }
}
