package dev.cairn.runtime.memory.recompute.grappler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.recompute.LayerRule;
import dev.cairn.runtime.memory.recompute.LayerRule.ForwardLayer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblems;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GrapplerWordTest {
  private static RecomputeProblem blocks(int blocks, boolean isResidual) {
    List<ForwardLayer> layers = new ArrayList<>(List.of(ForwardLayer.of("x", 0, 8)));
    for (int block = 0; block < blocks; block++) {
      int last = layers.size() - 1;
      layers.add(ForwardLayer.of("conv", 100, 8, last));
      layers.add(ForwardLayer.of("bn", 1, 8, last + 1));
      layers.add(ForwardLayer.of("relu", 1, 8, last + 2));
      if (isResidual) {
        layers.add(ForwardLayer.of("add", 1, 8, last + 3, last));
      }
    }
    return LayerRule.training(layers, 1, 1);
  }

  private static Word word(RecomputeProblem problem) {
    return new GrapplerProblem(problem, node -> switch (problem.name(node)) {
      case "bn" -> "FusedBatchNorm";
      case "relu" -> "Relu";
      case "add" -> "Add";
      default -> "Conv2D";
    }, node -> problem.name(node).startsWith("gradients/")).recomputed().word();
  }

  @Test
  void aChainOfConvolutionsNeedsLess() {
    RecomputeProblem problem = blocks(8, false);
    Word word = word(problem);
    assertThat(word.length()).isGreaterThan(problem.nodes());
    assertThat(WordJudge.peak(problem, word)).isLessThan(WordJudge.peak(problem, problem.givenOrder()) * 3 / 4);
  }

  /** Upstream's known weakness: additions join all blocks to one group, which runs before the first gradient. */
  @Test
  void residualBlocksNeedNoLess() {
    RecomputeProblem problem = blocks(8, true);
    assertThat(WordJudge.peak(problem, word(problem))).isGreaterThanOrEqualTo(WordJudge.peak(problem, problem
      .givenOrder()) * 9 / 10);
  }

  @Test
  void whatRunsOnceIsNotRunAgain() {
    RecomputeProblem problem = blocks(2, false);
    RecomputeProblem.Builder once = RecomputeProblem.builder(problem.order());
    for (int node = 0; node < problem.nodes(); node++) {
      once.once(node).name(node, problem.name(node));
    }
    assertThat(word(once.build()).length()).isEqualTo(problem.nodes());
  }

  /** A node that ends what others read waits for the copies of these; a copy that would wait for it does not run. */
  @Test
  void wordsOfRandomProblemsAreLegal() {
    int recomputations = 0;
    int readersAgain = 0;
    for (int seed = 0; seed < 2000; seed++) {
      RecomputeProblem problem = RecomputeProblems.random(seed, 16);
      Random kinds = new Random(seed);
      boolean[] cheap = new boolean[problem.nodes()];
      boolean[] gradient = new boolean[problem.nodes()];
      for (int node = 0; node < cheap.length; node++) {
        cheap[node] = kinds.nextInt(3) > 0;
        gradient[node] = kinds.nextInt(cheap.length) < node;
      }
      Word word = new GrapplerProblem(problem, node -> cheap[node] ? "Relu" : "Conv2D", node -> gradient[node])
        .recomputed().word();
      assertThat(WordJudge.peak(problem, word)).as("seed %d", seed).isGreaterThanOrEqualTo(problem.floor().bytes());
      recomputations += word.length() > problem.nodes() ? 1 : 0;
      readersAgain += runsReadersAgain(problem, word) ? 1 : 0;
    }
    assertThat(recomputations).isGreaterThan(100);
    assertThat(readersAgain).as("problems in which a node runs again that reads what another one ends")
      .isGreaterThan(20);
  }

  private static boolean runsReadersAgain(RecomputeProblem problem, Word word) {
    int[] runs = word.runs(problem.nodes());
    return IntStream.range(0, runs.length).anyMatch(node -> runs[node] > 1 && problem.order().edges(node).length > 0);
  }
}
