package dev.cairn.runtime.cli.text;

import java.util.Locale;

/** Figures as a person reads them. Stateless. */
public final class FigureText {
  private static final long NANOS_OF_A_MILLI = 1_000_000;

  private FigureText() {}

  /** A time in milliseconds, or in microseconds when it is less than one. */
  public static String time(long nanos) {
    return nanos < NANOS_OF_A_MILLI ? String.format(Locale.ROOT, "%.1f us", nanos / 1e3) : millis(nanos);
  }

  /** A time in milliseconds, however short: for columns that are compared. */
  public static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
  }

  /** A number without the decimals that it does not have. */
  public static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
