package dev.cairn.runtime.train.schedule;

/**
 * Other rates for the first updates.
 *
 * @param updates how many; the rates of update numbers below it are these
 * @param isLinear whether the rate grows to the first one of {@code then}, or stays
 */
record WarmUpRate(long updates, double begin, boolean isLinear, Schedule then) implements Schedule {
  WarmUpRate {
    Amount.requireNotNegative(isLinear ? "begin" : "rate", begin);
    Amount.requireUpdates("updates", updates);
  }

  @Override
  public double rate(long number) {
    if (number >= updates) {
      return then.rate(number);
    }
    return isLinear ? begin + (then.rate(0) - begin) * number / updates : begin;
  }
}
