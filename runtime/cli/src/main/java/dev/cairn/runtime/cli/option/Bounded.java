package dev.cairn.runtime.cli.option;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Numbers from the command line that must lie within bounds. */
public final class Bounded {
  private Bounded() {}

  /** A whole number of at least 0. */
  public static final class Count implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return whole(text, 0);
    }
  }

  /** A whole number of at least 1. */
  public static final class Positive implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return whole(text, 1);
    }
  }

  /** A number of threads: more than a machine has processors may be tried, but not without end. */
  public static final class Threads implements ITypeConverter<Integer> {
    private static final int MOST = 1024;

    @Override
    public Integer convert(String text) {
      return atMost(MOST, "threads", text);
    }
  }

  /** A number of streams: planning takes longer with each, and few models have more than a handful of branches. */
  public static final class Streams implements ITypeConverter<Integer> {
    private static final int MOST = 64;

    @Override
    public Integer convert(String text) {
      return atMost(MOST, "streams", text);
    }
  }

  /** A real number of at least 0. */
  public static final class Amount implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return real(text, Double.MAX_VALUE);
    }
  }

  /** A real number of at least 1. */
  public static final class Ratio implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      double value = real(text, Double.MAX_VALUE);
      if (value < 1) {
        throw new TypeConversionException("must be at least 1: given=" + text);
      }
      return value;
    }
  }

  /** A real number from 0 to 100. */
  public static final class Percent implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return real(text, 100);
    }
  }

  private static int atMost(int most, String what, String text) {
    int count = whole(text, 1);
    if (count > most) {
      throw new TypeConversionException("too many %s: given=%d most=%d".formatted(what, count, most));
    }
    return count;
  }

  private static int whole(String text, int least) {
    try {
      int value = Integer.parseInt(text);
      if (value >= least) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new TypeConversionException("not a whole number: given=" + text);
    }
    throw new TypeConversionException("too small: given=%s least=%d".formatted(text, least));
  }

  private static double real(String text, double most) {
    try {
      double value = Double.parseDouble(text);
      if (value >= 0 && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new TypeConversionException("not a number: given=" + text);
    }
    throw new TypeConversionException("out of range: given=%s least=0 most=%s".formatted(text, most));
  }
}
