package dev.cairn.runtime.train.schedule;

import java.util.List;

/**
 * The learning rate of each update: a pure function of its number, which counts from 1. The text form of a schedule has
 * all its settings.
 */
@FunctionalInterface
public interface Schedule {
  double rate(long number);

  /** The same schedule, whose decline begins after this many updates; others stay as they are. */
  default Schedule startingAfter(long updates) {
    return this;
  }

  static Schedule constant(double rate) {
    return new ConstantRate(rate);
  }

  /** {@code base·factor^k} after every {@code step} updates, but not below {@code stop}. */
  static Schedule factor(double base, long step, double factor, double stop) {
    return new FactorRate(base, step, factor, stop);
  }

  /** {@code base·factor^k}, where {@code k} is how many of {@code steps} are below the update's number. */
  static Schedule multiFactor(double base, List<Long> steps, double factor) {
    return new MultiFactorRate(base, steps, factor);
  }

  /** From {@code base} to {@code end} at update {@code last}, by a power of what is left; {@code end} afterwards. */
  static Schedule polynomial(double base, double end, long last, double power) {
    return new PolynomialRate(base, end, last, power, 0);
  }

  /** From {@code base} to {@code end} at update {@code last}, by half a cosine; {@code end} afterwards. */
  static Schedule cosine(double base, double end, long last) {
    return new CosineRate(base, end, last, 0);
  }

  /** Before this schedule, {@code updates} updates whose rate grows evenly from {@code begin} to the first rate. */
  default Schedule warmedUp(long updates, double begin) {
    return new WarmUpRate(updates, begin, true, startingAfter(updates));
  }

  /** Before this schedule, {@code updates} updates of one rate. */
  default Schedule warmedUpAt(long updates, double rate) {
    return new WarmUpRate(updates, rate, false, startingAfter(updates));
  }
}
