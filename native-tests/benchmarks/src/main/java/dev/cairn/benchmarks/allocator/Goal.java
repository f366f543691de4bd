package dev.cairn.benchmarks.allocator;

import java.math.BigDecimal;

/** What a figure should be, stated before it is measured. */
record Goal(Direction direction, double bound) {
  enum Direction {
    AT_MOST("<="),
    AT_LEAST(">=");

    private final String sign;

    Direction(String sign) {
      this.sign = sign;
    }
  }

  static Goal atMost(double bound) {
    return new Goal(Direction.AT_MOST, bound);
  }

  static Goal atLeast(double bound) {
    return new Goal(Direction.AT_LEAST, bound);
  }

  boolean isReachedBy(double value) {
    return switch (direction) {
      case AT_MOST -> value <= bound;
      case AT_LEAST -> value >= bound;
    };
  }

  /** {@code <=0.6}. */
  @Override
  public String toString() {
    return direction.sign + BigDecimal.valueOf(bound).stripTrailingZeros().toPlainString();
  }
}
