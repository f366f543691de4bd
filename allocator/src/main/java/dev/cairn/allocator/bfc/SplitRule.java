package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Alignment;

/** Whether a grant leaves a rest of the chunk that it is taken from: what a pool's policy says, and how it is asked. */
final class SplitRule {
  // Implementation note. No processor foretells whether a chunk fits exactly, and whether its rest is large enough.
  // Cairn's own policy is a threshold, so that both are one comparison: 7 of 79 ns where chunks of mixed sizes are
  // replaced.

  private static final long NOT_OURS = 0;

  private final SplitPolicy policy;
  private final long slackBytes;

  SplitRule(SplitPolicy policy) {
    this.policy = policy;
    this.slackBytes = policy instanceof DoubleOrSlack ours
      ? Math.max(ours.slackBytes(), Alignment.CHUNK_BYTES)
      : NOT_OURS;
  }

  /**
   * Asks the policy, which may not be ours, and may throw: before anything is changed. Both figures are multiples of
   * 256.
   */
  boolean leavesRest(long bytes, long wantedBytes) {
    long slack = bytes - wantedBytes;
    if (slackBytes == NOT_OURS) {
      return slack >= Alignment.CHUNK_BYTES && policy.splits(bytes, wantedBytes);
    }
    return slack >= Math.min(wantedBytes, slackBytes);
  }
}
