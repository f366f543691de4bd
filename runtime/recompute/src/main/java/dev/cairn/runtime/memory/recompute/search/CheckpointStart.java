package dev.cairn.runtime.memory.recompute.search;

import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.revolve.RevolveWord;
import java.util.Optional;

/** A word to start from on graphs that are chains: Revolve's, with as many states as the budget has room for. */
final class CheckpointStart {
  private CheckpointStart() {}

  /** The word that holds most states; empty when none fits. The forward half ends where the given order holds most. */
  static Optional<Word> word(RecomputeProblem problem, long budget) {
    long[] held = WordJudge.bytesByStep(problem, problem.givenOrder());
    int border = 0;
    for (int step = 1; step < held.length; step++) {
      border = held[step] > held[border] ? step : border;
    }
    Optional<Word> best = Optional.empty();
    int fits = 0;
    int tooMany = border == 0 ? 1 : RevolveWord.states(problem, border) + 1;
    while (tooMany - fits > 1) {
      int states = (fits + tooMany) >>> 1;
      Optional<Word> word = RevolveWord.of(problem, border, states).filter(it -> WordJudge.peak(problem, it) <= budget);
      best = word.isPresent() ? word : best;
      fits = word.isPresent() ? states : fits;
      tooMany = word.isPresent() ? tooMany : states;
    }
    return best;
  }
}
