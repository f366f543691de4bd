package dev.cairn.runtime.train.schedule;

/** A rate that falls by half a cosine. */
record CosineRate(double base, double end, long last, long first) implements Schedule {
  CosineRate {
    Amount.requireNotNegative("base", base);
    Amount.requireNotNegative("end", end);
    Amount.requireUpdates("last", last);
  }

  @Override
  public double rate(long number) {
    return end + (base - end) * (1 + Math.cos(Math.PI * PolynomialRate.progress(number, first, last))) / 2;
  }

  @Override
  public Schedule startingAfter(long updates) {
    return new CosineRate(base, end, last, updates);
  }
}
