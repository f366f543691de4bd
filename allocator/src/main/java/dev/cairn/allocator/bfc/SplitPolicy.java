package dev.cairn.allocator.bfc;

import dev.cairn.allocator.Alignment;

/** Decides whether to split a free chunk to the needed size, or to use all of it with its slack. */
@FunctionalInterface
public interface SplitPolicy {
  /** The slack, in bytes, from which the standard policy splits: 128 MiB. */
  long STANDARD_SLACK_BYTES = 128L << 20;

  /**
   * Whether to split. Called only if at least 256 bytes would be left over; both sizes are multiples of 256.
   *
   * @param chunkBytes length of the free chunk
   * @param wantedBytes needed length, less than {@code chunkBytes}
   */
  boolean splits(long chunkBytes, long wantedBytes);

  /** Splits chunks of at least twice the needed size, and chunks with at least {@code slackBytes} of slack. */
  static SplitPolicy doubleOrSlack(long slackBytes) {
    return new SplitRule.DoubleOrSlack(slackBytes);
  }

  /** Like {@link #doubleOrSlack}, with the slack as a fraction, 0 to 1, of the allocator's limit. */
  static SplitPolicy doubleOrFraction(double fraction, long limitBytes) {
    if (!(fraction >= 0 && fraction <= 1)) {
      throw new IllegalArgumentException("fraction must be between 0 and 1: fraction=" + fraction);
    }
    return doubleOrSlack((long) (fraction * limitBytes));
  }

  /** Always splits: no slack beyond the rounding to 256. */
  static SplitPolicy exact() {
    return doubleOrSlack(Alignment.CHUNK_BYTES);
  }
}
