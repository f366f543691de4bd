package dev.cairn.runtime.train.schedule;

/** One rate for all updates. */
record ConstantRate(double value) implements Schedule {
  ConstantRate {
    Amount.requireNotNegative("rate", value);
  }

  @Override
  public double rate(long number) {
    return value;
  }
}
