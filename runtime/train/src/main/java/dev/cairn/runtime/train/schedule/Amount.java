package dev.cairn.runtime.train.schedule;

/** Checks settings of schedules and optimizers. Stateless. */
public final class Amount {
  private Amount() {}

  /** @throws IllegalArgumentException when a setting is negative, infinite or no number */
  public static void requireNotNegative(String name, double value) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException("a setting is a number of at least 0: %s=%s".formatted(name, value));
    }
  }

  /** @throws IllegalArgumentException when a setting is infinite or no number */
  public static void requireFinite(String name, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("a setting is a finite number: %s=%s".formatted(name, value));
    }
  }

  /** @throws IllegalArgumentException when a setting is not at least 0 and less than 1 */
  public static void requireBelowOne(String name, double value) {
    if (!(value >= 0 && value < 1)) {
      throw new IllegalArgumentException("a setting is at least 0 and less than 1: %s=%s".formatted(name, value));
    }
  }

  /** @throws IllegalArgumentException when there is not at least one update */
  public static void requireUpdates(String name, long updates) {
    if (updates < 1) {
      throw new IllegalArgumentException("at least one update: %s=%d".formatted(name, updates));
    }
  }
}
