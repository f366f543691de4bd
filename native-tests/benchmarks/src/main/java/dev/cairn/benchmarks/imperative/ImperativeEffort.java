package dev.cairn.benchmarks.imperative;

import dev.cairn.benchmarks.harness.Rounds;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * How much is measured, and how often.
 *
 * @param rounds in which every contestant has its turn
 * @param batches of calls in one turn
 * @param operations to see that memory stays level
 * @param warmUps rounds before, which do not count: code that few calls have reached is not compiled yet
 */
record ImperativeEffort(int rounds, int batches, int operations, int warmUps) {
  /** For figures that are kept. */
  static final ImperativeEffort FULL = new ImperativeEffort(15, 100, 1_000_000, 30);
  /** A short effort, to see that all works. */
  static final ImperativeEffort QUICK = new ImperativeEffort(3, 10, 50_000, 1);

  /** Plays the rounds, after the warm-up rounds. */
  Rounds played(List<? extends DoubleSupplier> contestants) {
    var _ = Rounds.played(warmUps, contestants);
    return Rounds.played(rounds, contestants);
  }
}
