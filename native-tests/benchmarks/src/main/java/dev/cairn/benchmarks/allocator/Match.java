package dev.cairn.benchmarks.allocator;

import dev.cairn.benchmarks.allocator.arena.ArenaKind;
import dev.cairn.benchmarks.harness.Rounds;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The parts of a {@link Contest}: one workload that both allocators are to play.
 *
 * @param rounds in all processes together, rounded up so that each plays as many
 * @param score nanoseconds an operation, measured when asked
 */
record Match(Contest.Rule rule, int rounds, ToDoubleFunction<ArenaKind> score) {
  /** Plays so many of the rounds, in this process. */
  Rounds played(int ofRounds) {
    return Rounds.played(ofRounds, List.of(() -> score.applyAsDouble(ArenaKind.CAIRN),
      () -> score.applyAsDouble(ArenaKind.ORT)));
  }
}
