package dev.cairn.runtime.train.schedule;

/** One rate for all updates. */
record ConstantRate(double value) implements Schedule {
  @Override
  public double rate(long number) {
    return value;
  }
}
