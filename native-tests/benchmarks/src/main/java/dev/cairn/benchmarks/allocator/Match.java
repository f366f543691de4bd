package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.allocator.arena.ArenaKind;
import dev.cairn.benchmarks.harness.Rounds;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A contest that is to be played.
 *
 * @param rounds in all processes together
 * @param score nanoseconds an operation, measured when asked
 */
record Match(Contest.Rule rule, int rounds, ToDoubleFunction<ArenaKind> score) {
  /** Plays so many of the rounds, in this process. */
  Rounds played(int ofRounds) {
    return Rounds.played(ofRounds, List.of(() -> score.applyAsDouble(ArenaKind.CAIRN),
      () -> score.applyAsDouble(ArenaKind.ORT)));
  }
}
