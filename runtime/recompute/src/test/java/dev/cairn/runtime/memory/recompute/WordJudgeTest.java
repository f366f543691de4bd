package dev.cairn.runtime.memory.recompute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.runtime.memory.order.OrderPeak;
import dev.cairn.runtime.memory.order.OrderProblem;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordJudgeTest {
  /** a → b → c → d, and d reads a as well. */
  private static RecomputeProblem square() {
    var order = OrderProblem.builder(4);
    order.value(0, 10, false, 1, 3);
    order.value(1, 20, false, 2);
    order.value(2, 5, false, 3);
    order.value(3, 1, true);
    return RecomputeProblem.builder(order.build()).cost(0, 7).build();
  }

  @Test
  void aRecomputationEndsTheVersionBeforeIt() {
    assertThat(WordJudge.bytesByStep(square(), Word.of(0, 1, 2, 3))).containsExactly(10, 30, 35, 16);
    Word again = Word.of(0, 1, 2, 0, 3);
    assertThat(WordJudge.bytesByStep(square(), again)).containsExactly(10, 30, 25, 15, 16);
    assertThat(WordJudge.cost(square(), again)).isEqualTo(17);
  }

  @Test
  void anUnreadRunHoldsItsBytesForOneStep() {
    assertThat(WordJudge.bytesByStep(square(), Word.of(0, 0, 1, 2, 3, 0))).containsExactly(10, 10, 30, 35, 16, 11);
  }

  @Test
  void keptValuesStayFromTheirLastRun() {
    assertThat(WordJudge.bytesByStep(square(), Word.of(0, 1, 2, 3, 3))).containsExactly(10, 30, 35, 16, 16);
  }

  @Test
  void aVersionIsOverwrittenByItsLastReaderOnly() {
    var order = OrderProblem.builder(3);
    int a = order.value(0, 8, false, 1, 2);
    int b = order.value(1, 8, true);
    order.value(2, 1, true);
    order.inPlace(1, a, b);
    RecomputeProblem problem = RecomputeProblem.builder(order.build()).build();
    assertThat(WordJudge.peak(problem, Word.of(0, 1, 2))).isEqualTo(17);
    assertThat(WordJudge.bytesByStep(problem, Word.of(0, 1, 0, 2))).containsExactly(8, 8, 16, 17);
    assertThat(WordJudge.bytesByStep(problem, Word.of(0, 2, 1))).containsExactly(8, 9, 9);
  }

  @Test
  void refusesWordsThatAreNotLegal() {
    var order = OrderProblem.builder(3);
    order.value(0, 1, false, 1);
    order.before(0, 2);
    RecomputeProblem problem = RecomputeProblem.builder(order.build()).name(1, "reader").name(2, "assign").once(2)
      .build();
    assertThat(WordJudge.peak(problem, Word.of(0, 1, 0, 2))).isEqualTo(1);
    refused(problem, "runs before one that it needs: step=0 node=reader", 1, 0, 2);
    refused(problem, "runs once runs again: step=3 node=assign", 0, 1, 2, 2);
    refused(problem, "runs again after one that ends what it reads: step=3 node=node 0 other=assign", 0, 1, 2, 0);
    refused(problem, "never runs: step=2 node=reader", 0, 2);
    refused(problem, "no such node: step=0 node=7 nodes=3", 7);
  }

  private static void refused(RecomputeProblem problem, String message, int... nodes) {
    assertThatThrownBy(() -> WordJudge.peak(problem, Word.of(nodes))).isInstanceOf(IllegalArgumentException.class)
      .hasMessageContaining(message);
  }

  @Test
  void withoutRecomputationsItIsThePeakOfAnOrder() {
    for (int seed = 0; seed < 300; seed++) {
      RecomputeProblem problem = RecomputeProblems.random(seed, 12);
      Word word = problem.givenOrder();
      assertThat(WordJudge.bytesByStep(problem, word)).as("seed %d", seed)
        .isEqualTo(OrderPeak.bytesByPosition(problem.order(), word.steps()));
      assertThat(problem.floor().bytes()).isLessThanOrEqualTo(WordJudge.peak(problem, word));
    }
  }

  /** The peaks in GB and floors that are printed with the published graphs. */
  @ParameterizedTest
  @CsvSource({"vgg16_b256, 45, 15.83, .831", "unet_b32, 71, 20.96, .395", "fcn8_b32_flops, 73, 13.48, .615",
    "segnet_b32, 77, 19.94, .416", "mobilenet_b512, 185, 34.70, .191", "resnet50_b256, 353, 38.06, .097"})
  void judgesPublishedGraphsAsPrinted(String graph, int nodes, double gigabytes, double floor) throws IOException {
    RecomputeProblem problem = RecomputeProblems.published(graph);
    assertThat(problem.nodes()).isEqualTo(nodes);
    long peak = WordJudge.peak(problem, problem.givenOrder());
    assertThat(Math.round(peak / 1e7) / 100.0).isEqualTo(gigabytes);
    assertThat(Math.abs((double) problem.floor().bytes() / peak - floor)).isLessThan(0.001);
  }
}
