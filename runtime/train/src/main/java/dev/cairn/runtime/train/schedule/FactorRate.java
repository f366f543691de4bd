package dev.cairn.runtime.train.schedule;

/** A rate that falls by a factor after every so many updates. */
record FactorRate(double base, long step, double factor, double stop) implements Schedule {
  FactorRate {
    if (step < 1) {
      throw new IllegalArgumentException("a rate falls after at least one update: step=" + step);
    }
    Amount.requireNotNegative("base", base);
    Amount.requireNotNegative("factor", factor);
    Amount.requireNotNegative("stop", stop);
  }

  @Override
  public double rate(long number) {
    long falls = Math.max(0, Math.ceilDiv(number, step) - 1);
    return Math.max(stop, base * Math.pow(factor, (double) falls));
  }
}
