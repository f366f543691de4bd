package dev.cairn.runtime.train.schedule;

/** A rate that falls by a power of the updates that are left. */
record PolynomialRate(double base, double end, long last, double power, long first) implements Schedule {
  PolynomialRate {
    Amount.requireNotNegative("base", base);
    Amount.requireNotNegative("end", end);
    Amount.requireNotNegative("power", power);
    Amount.requireUpdates("last", last);
  }

  @Override
  public double rate(long number) {
    return end + (base - end) * Math.pow(1 - progress(number, first, last), power);
  }

  @Override
  public Schedule startingAfter(long updates) {
    return new PolynomialRate(base, end, last, power, updates);
  }

  /** How much of the way from the first to the last update is done, from 0 to 1. */
  static double progress(long number, long first, long last) {
    return last <= first ? 1 : Math.clamp((double) (number - first) / (last - first), 0.0, 1.0);
  }
}
