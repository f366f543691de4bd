package dev.cairn.kernels.tensor;

/**
 * Numbers of {@link DType#FLOAT8E8M0}, the scales of microscaling formats: code {@code c} is 2<sup>c-127</sup>, and 255
 * is NaN.
 */
public final class PowerOfTwo {
  private static final int BIAS = 127;
  private static final int MOST = 0xfe;
  private static final int NOT_A_NUMBER = 0xff;

  private PowerOfTwo() {}

  /** The number that a code stands for. */
  public static double value(int code) {
    return code == NOT_A_NUMBER ? Double.NaN : Math.scalb(1.0, code - BIAS);
  }

  /** How a number between two powers of two is rounded. */
  public enum Rounding {
    UP,
    DOWN,
    /** Rounds to the nearer power; the middle goes up. */
    NEAREST;

    /** The rounding that attribute {@code round_mode} names. */
    public static Rounding of(String name) {
      return switch (name) {
        case "up" -> UP;
        case "down" -> DOWN;
        case "nearest" -> NEAREST;
        default -> throw new IllegalArgumentException("no such rounding: round_mode=\"%s\"".formatted(name));
      };
    }

    private double exponent(double value) {
      int below = Math.getExponent(value);
      double part = Math.scalb(value, -below);
      boolean isUp = switch (this) {
        case UP -> part > 1;
        case DOWN -> false;
        case NEAREST -> part >= 1.5;
      };
      return isUp ? below + 1 : below;
    }
  }

  /**
   * The code of a number. Negative numbers give NaN.
   *
   * @param saturates whether numbers out of range, 0 among them, become the nearest code, instead of NaN
   */
  public static int code(double value, Rounding rounding, boolean saturates) {
    if (Double.isNaN(value) || value < 0) {
      return NOT_A_NUMBER;
    }
    double code = value < Double.MIN_NORMAL ? -1 : rounding.exponent(value) + BIAS;
    return code >= 0 && code <= MOST ? (int) code : saturates ? Math.clamp((long) code, 0, MOST) : NOT_A_NUMBER;
  }
}
