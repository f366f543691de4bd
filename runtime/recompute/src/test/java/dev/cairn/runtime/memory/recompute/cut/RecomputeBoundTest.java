package dev.cairn.runtime.memory.recompute.cut;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblems;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.exact.ResidentSetSearch;
import java.io.IOException;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecomputeBoundTest {
  @Test
  void neverExceedsTheCheapestWord() {
    int tight = 0;
    for (long seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      RecomputeProblem problem = random.nextBoolean()
        ? RecomputeProblems.randomTraining(seed, 3 + random.nextInt(4))
        : RecomputeProblems.random(seed, 3 + random.nextInt(6));
      long floor = problem.floor().bytes();
      long budget = floor + (WordJudge.peak(problem, problem.givenOrder()) - floor) * random.nextInt(6) / 6;
      Optional<Word> cheapest = ResidentSetSearch.search(problem, budget, 4_000_000).word();
      long cost = cheapest.map(it -> WordJudge.cost(problem, it)).orElse(Long.MAX_VALUE);
      long bound = RecomputeBound.of(problem, budget);
      assertThat(bound).as("seed %d", seed).isLessThanOrEqualTo(cost).isGreaterThanOrEqualTo(problem.costOnce());
      tight += bound == cost && bound > problem.costOnce() && cost < Long.MAX_VALUE ? 1 : 0;
    }
    assertThat(tight).isGreaterThan(10);
  }

  @Test
  void saysThatNothingFitsBelowTheFloor() {
    RecomputeProblem chain = RecomputeProblems.chain(8);
    assertThat(RecomputeBound.of(chain, chain.floor().bytes() - 1)).isEqualTo(Long.MAX_VALUE);
  }

  /** Bounds in percent, at least those of one cut at the loss; the last column is the best word that is known. */
  @ParameterizedTest
  @CsvSource({"resnet50_b256, .50, 1.48, 1.5050", "mobilenet_b512, .30, 3.44, 3.9795", "unet_b32, .60, 4.33, 4.4510"})
  void isNearTheBestKnownWord(String graph, double part, double least, double best) throws IOException {
    RecomputeProblem problem = RecomputeProblems.published(graph);
    long budget = (long) (WordJudge.peak(problem, problem.givenOrder()) * part);
    double percent = 100.0 * (RecomputeBound.of(problem, budget) - problem.costOnce()) / problem.costOnce();
    assertThat(percent).isBetween(least, best);
  }
}
