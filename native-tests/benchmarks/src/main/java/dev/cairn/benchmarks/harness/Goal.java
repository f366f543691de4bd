package dev.cairn.benchmarks.harness;

import java.math.BigDecimal;

/** The goal of a figure, stated before it is measured. */
public record Goal(Direction direction, double bound) {
  /** On which side of the bound the goal is. */
  public enum Direction {
    AT_MOST("<="),
    AT_LEAST(">=");

    private final String sign;

    Direction(String sign) {
      this.sign = sign;
    }
  }

  public static Goal atMost(double bound) {
    return new Goal(Direction.AT_MOST, bound);
  }

  public static Goal atLeast(double bound) {
    return new Goal(Direction.AT_LEAST, bound);
  }

  public boolean isReachedBy(double value) {
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
