package dev.cairn.runtime.memory.recompute.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblems;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** After every move the running sums are those of the judge, and taking moves back restores them. */
class SlottedWordTest {
  @Test
  void agreesWithTheJudgeAfterEveryMove() {
    for (int seed = 0; seed < 60; seed++) {
      RecomputeProblem problem = seed % 2 == 0
        ? RecomputeProblems.random(seed, 4 + seed % 20)
        : RecomputeProblems.randomTraining(seed, 3 + seed % 12);
      long budget = WordJudge.peak(problem, problem.givenOrder()) * 3 / 4;
      var word = new SlottedWord(problem, budget, problem.givenOrder());
      var random = new SplittableRandom(seed);
      var moves = new Moves(problem, word, random);
      for (int i = 0; i < 200; i++) {
        Word before = word.word();
        boolean isWhole = move(moves, random.nextInt(5));
        if (!isWhole || random.nextInt(3) == 0) {
          word.undoTo(0);
          assertThat(word.word()).as("seed %d", seed).isEqualTo(before);
        } else if (random.nextInt(20) == 0) {
          word.become(word.word());
        }
        word.accept();
        check(problem, budget, word, seed);
      }
    }
  }

  private static boolean move(Moves moves, int kind) {
    return switch (kind) {
      case 0 -> moves.drop(moves.someSlot());
      case 1 -> moves.removeRecomputation();
      case 2 -> moves.exchange();
      default -> moves.moveStep();
    };
  }

  private static void check(RecomputeProblem problem, long budget, SlottedWord word, int seed) {
    long over = 0;
    long peak = 0;
    for (long held : WordJudge.bytesByStep(problem, word.word())) {
      over += Math.max(0, held - budget);
      peak = Math.max(peak, held);
    }
    assertThat(word.over()).as("seed %d", seed).isEqualTo(over);
    assertThat(word.profile().held(word.profile().highest())).as("seed %d", seed).isEqualTo(peak);
    assertThat(word.cost()).isEqualTo(WordJudge.cost(problem, word.word()));
    assertThat(word.length()).isEqualTo(word.word().length());
    int recomputations = 0;
    for (int runs : word.word().runs(problem.nodes())) {
      recomputations += runs > 1 ? 1 : 0;
    }
    assertThat(word.recomputed().size()).isEqualTo(recomputations);
  }
}
