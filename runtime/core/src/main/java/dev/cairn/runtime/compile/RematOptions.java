package dev.cairn.runtime.compile;

import java.util.OptionalLong;

/**
 * How much memory a model may take, and what to do when it needs more. Without a limit, nothing runs again.
 *
 * @param limitBytes the most for weights, variables and the plan, and for inputs and results as far as {@link
 *   MemoryNeed} counts them
 */
public record RematOptions(RematMode mode, OptionalLong limitBytes) {
  public static final RematOptions DEFAULT = new RematOptions(RematMode.AUTO, OptionalLong.empty());

  public RematOptions {
    if (limitBytes.isPresent() && limitBytes.getAsLong() < 0) {
      throw new IllegalArgumentException("a limit must not be negative: limitBytes=" + limitBytes.getAsLong());
    }
  }

  public RematOptions withMode(RematMode other) {
    return new RematOptions(other, limitBytes);
  }

  public RematOptions withLimitBytes(long bytes) {
    return new RematOptions(mode, OptionalLong.of(bytes));
  }
}
