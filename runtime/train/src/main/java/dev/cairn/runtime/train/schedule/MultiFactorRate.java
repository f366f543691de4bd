package dev.cairn.runtime.train.schedule;

import java.util.List;

/** A rate that falls by a factor after each of some updates. */
record MultiFactorRate(double base, List<Long> steps, double factor) implements Schedule {
  MultiFactorRate {
    steps = List.copyOf(steps);
  }

  @Override
  public double rate(long number) {
    long falls = steps.stream().filter(it -> it < number).count();
    return base * Math.pow(factor, (double) falls);
  }
}
