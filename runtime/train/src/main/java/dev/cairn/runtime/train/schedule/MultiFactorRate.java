package dev.cairn.runtime.train.schedule;

import java.util.List;

/** A rate that falls by a factor after each of some updates. */
record MultiFactorRate(double base, List<Long> steps, double factor) implements Schedule {
  MultiFactorRate {
    steps = List.copyOf(steps);
    Amount.requireNotNegative("base", base);
    Amount.requireNotNegative("factor", factor);
    for (int i = 0; i < steps.size(); i++) {
      if (steps.get(i) < 1 || (i > 0 && steps.get(i) <= steps.get(i - 1))) {
        throw new IllegalArgumentException("steps are numbers of updates, each larger than the one before: steps="
          + steps);
      }
    }
  }

  @Override
  public double rate(long number) {
    long falls = steps.stream().filter(it -> it < number).count();
    return base * Math.pow(factor, (double) falls);
  }
}
