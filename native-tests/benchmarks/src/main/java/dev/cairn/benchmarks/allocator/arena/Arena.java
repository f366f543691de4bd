package dev.cairn.benchmarks.allocator.arena;

/**
 * An allocator under test, behind the two calls that are timed. Safe for use by many threads; {@link #close} once no
 * thread uses it any more.
 */
public interface Arena extends AutoCloseable {
  /** Takes memory; the answer is a token for the other two calls. */
  long grant(long bytes);

  /** Gives it back. */
  void release(long token);

  /** The first address of a token's block. */
  long addressOf(long token);

  /** Drops the arena with all that it holds, granted or not. */
  @Override
  void close();
}
