package dev.cairn.allocator.replay;

import dev.cairn.allocator.Allocator;

/**
 * A way to run an allocator, known by a name.
 *
 * @param name one word, as users type it
 * @param description what it does, in a line
 * @param needsLimit whether it takes its whole limit at once, so that it has to have one
 * @param factory makes the allocator
 */
public record ReplayPolicy(String name, String description, boolean needsLimit, Factory factory) {
  /** Stands for no limit. */
  public static final long NO_LIMIT = Long.MAX_VALUE;

  /** Makes an allocator, over a source of its own without memory behind it, that holds no more than a limit. */
  @FunctionalInterface
  public interface Factory {
    /** An allocator that holds nothing yet; the caller closes it. */
    Allocator over(long limitBytes);
  }
}
