package dev.cairn.runtime.cached;

/**
 * How a {@link CachedOp} plans.
 *
 * @param maxPlans how many plans it keeps; it drops the least recently used first, with its memory
 * @param inlineLimit functions of at most so many operators are not planned: their operators run, and are recorded, one
 *   by one
 */
public record CachedOpOptions(int maxPlans, int inlineLimit) {
  /** 8 plans; functions of one or two operators are not planned. */
  public static final CachedOpOptions DEFAULT = new CachedOpOptions(8, 2);

  public CachedOpOptions {
    if (maxPlans < 1 || inlineLimit < 0) {
      throw new IllegalArgumentException("out of range: maxPlans=%d inlineLimit=%d".formatted(maxPlans, inlineLimit));
    }
  }

  public CachedOpOptions withMaxPlans(int count) {
    return new CachedOpOptions(count, inlineLimit);
  }

  public CachedOpOptions withInlineLimit(int operators) {
    return new CachedOpOptions(maxPlans, operators);
  }
}
