package dev.cairn.benchmarks.harness;

import java.util.Locale;
import java.util.Optional;

/**
 * One figure of the benchmark's last line.
 *
 * @param key which, without spaces
 * @param decimals how many are worth printing
 * @param goal what it should be, where that is said
 */
public record Figure(String key, double value, int decimals, Optional<Goal> goal) {
  public static Figure judged(String key, double value, int decimals, Goal goal) {
    return new Figure(key, value, decimals, Optional.of(goal));
  }

  /** A figure with no goal. */
  public static Figure told(String key, double value, int decimals) {
    return new Figure(key, value, decimals, Optional.empty());
  }

  public boolean isShort() {
    return goal.map(it -> !it.isReachedBy(value)).orElse(false);
  }

  /** {@code key=value}. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s=%." + decimals + "f", key, value);
  }
}
