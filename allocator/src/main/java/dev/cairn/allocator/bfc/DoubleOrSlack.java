package dev.cairn.allocator.bfc;

/**
 * Splits chunks of at least twice the size wanted, and those whose slack would reach a limit.
 *
 * @param slackBytes the limit; not negative
 */
record DoubleOrSlack(long slackBytes) implements SplitPolicy {
  DoubleOrSlack {
    if (slackBytes < 0) {
      throw new IllegalArgumentException("slack must not be negative: slackBytes=" + slackBytes);
    }
  }

  @Override
  public boolean splits(long chunkBytes, long wantedBytes) {
    return chunkBytes - wantedBytes >= Math.min(wantedBytes, slackBytes);
  }
}
