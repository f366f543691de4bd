package dev.cairn.runtime.memory.recompute.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.SmallStack;
import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.LayerRule;
import dev.cairn.runtime.memory.recompute.RecomputeAnswer;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblems;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import dev.cairn.runtime.memory.recompute.exact.ResidentSetSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Problems that are small, empty, even or very large, and budgets that follow each other. */
class RecomputeEdgesTest {
  private static final int MOST_STATES = 4_000_000;

  @Test
  void aRecomputationMakesAllResultsAndUnreadOnesDieAtItsEnd() {
    var order = OrderProblem.builder(4);
    order.value(0, 10, false, 1, 3);
    order.value(0, 7, false, 1);
    order.value(1, 20, false, 2);
    order.value(2, 5, false, 3);
    order.value(3, 1, true);
    RecomputeProblem problem = RecomputeProblem.builder(order.build()).build();
    assertThat(WordJudge.bytesByStep(problem, Word.of(0, 1, 2, 0, 3))).containsExactly(17, 37, 25, 22, 16);
  }

  @Test
  void aProblemWithoutNodesHasTheEmptyWord() {
    RecomputeProblem none = RecomputeProblem.builder(OrderProblem.builder(0).build()).build();
    RecomputeAnswer answer = RecomputePlanner.plan(none, 0);
    assertThat(answer.fits()).isTrue();
    assertThat(answer.word().length()).isZero();
    assertThat(answer.overhead()).isZero();
  }

  /** Values without bytes are free, and nodes that read nothing may run again. */
  @Test
  void valuesWithoutBytesAndNodesWithoutOperandsRunAgain() {
    var order = OrderProblem.builder(5);
    order.value(0, 8, false, 1, 4);
    order.value(1, 0, false, 2, 4);
    order.value(2, 12, false, 3);
    order.value(3, 4, false, 4);
    order.value(4, 1, true);
    RecomputeProblem problem = RecomputeProblem.builder(order.build()).cost(0, 3).build();
    assertThat(WordJudge.peak(problem, problem.givenOrder())).isEqualTo(24);
    RecomputeAnswer answer = RecomputePlanner.plan(problem, 16);
    Word cheapest = ResidentSetSearch.search(problem, 16, MOST_STATES).word().orElseThrow();
    assertThat(answer.fits()).isTrue();
    assertThat(answer.cost()).isEqualTo(WordJudge.cost(problem, cheapest)).isEqualTo(problem.costOnce() + 3);
    RecomputeProblem free = RecomputeProblem.builder(order.build()).cost(0, 0).cost(1, 0).cost(2, 0).cost(3, 0)
      .cost(4, 0)
      .build();
    assertThat(RecomputePlanner.plan(free, 16).overhead()).isZero();
  }

  /** Two equal halves: the answer does not depend on the run. */
  @Test
  void equalTwinsHaveOneAnswer() {
    RecomputeProblem twins = RecomputeProblems.net("4,8,;2,8,0;2,8,1;2,8,0;2,8,3;1,2,2 4");
    long peak = WordJudge.peak(twins, twins.givenOrder());
    for (int percent : new int[] {90, 80, 70}) {
      RecomputeAnswer first = RecomputePlanner.plan(twins, peak * percent / 100);
      assertThat(IntStream.range(0, 3).mapToObj(_ -> RecomputePlanner.plan(twins, peak * percent / 100))).allMatch(
        first::equals);
    }
  }

  @Test
  void aLargerBudgetNeverCostsMore() {
    requireCurve(0, 1, 6);
  }

  @Test
  @Tag("long")
  void aLargerBudgetNeverCostsMoreOnLongCurves() {
    requireCurve(1, 4, 12);
  }

  private static void requireCurve(int from, int to, int points) {
    for (int seed = from; seed < to; seed++) {
      RecomputeProblem problem = RecomputeProblems.randomTraining(seed, 8);
      List<RecomputeAnswer> curve = RecomputeCurve.of(problem, points);
      assertThat(curve).hasSize(points);
      for (int i = 0; i < curve.size(); i++) {
        RecomputeAnswer answer = curve.get(i);
        assertThat(answer.fits()).as("seed %d budget %d", seed, answer.budgetBytes()).isTrue();
        assertThat(answer.bound()).isLessThanOrEqualTo(answer.cost());
        assertThat(i == 0 || answer.cost() <= curve.get(i - 1).cost()).isTrue();
      }
      assertThat(curve.getLast().overhead()).isZero();
    }
  }

  /** Ten thousand nodes in a row are planned on a small stack: no method calls itself for each of them. */
  @Test
  void deepChainsArePlanned() throws Exception {
    SmallStack.run(() -> requireChain(5_000));
  }

  @Test
  @Tag("soak")
  void chainsOfAHundredThousandNodesArePlanned() {
    requireChain(50_000);
  }

  private static void requireChain(int layers) {
    RecomputeProblem chain = RecomputeProblems.chain(layers);
    RecomputeAnswer answer = RecomputePlanner.plan(chain, 1000, 1);
    assertThat(answer.fits()).isTrue();
    assertThat(WordJudge.peak(chain, answer.word())).isEqualTo(answer.peakBytes());
  }

  /** This holds also where such a result is read by a node that is neither before nor after a cut in every order. */
  @Test
  void nodesThatRunOnceNeverRunAgain() {
    requireOnce(0, 6);
  }

  @Test
  @Tag("long")
  void nodesThatRunOnceNeverRunAgainInManyNets() {
    requireOnce(6, 40);
  }

  private static void requireOnce(int from, int to) {
    for (int seed = from; seed < to; seed++) {
      RecomputeProblem any = RecomputeProblems.randomTraining(seed, 16);
      RecomputeProblem.Builder some = RecomputeProblem.builder(any.order());
      for (int node = 0; node < any.nodes(); node++) {
        some.cost(node, any.cost(node));
        if ((node * 7 + seed) % 3 == 0) {
          some.once(node);
        }
      }
      RecomputeProblem problem = some.build();
      long peak = WordJudge.peak(problem, problem.givenOrder());
      for (int percent : new int[] {90, 75, 60}) {
        RecomputeAnswer answer = RecomputePlanner.plan(problem, peak * percent / 100, 1_000_000);
        assertThat(WordJudge.peak(problem, answer.word())).isEqualTo(answer.peakBytes());
      }
    }
  }

  /** A residual net: work is bounded at every size, minimum cuts included. */
  @Test
  void thousandsOfNodesWithSkipsHaveAnAnswer() {
    requireAnswer(1_500, 300_000);
  }

  @Test
  @Tag("long")
  void twentyThousandNodesWithSkipsHaveAnAnswer() {
    requireAnswer(10_000, 2_000_000);
  }

  @Test
  @Tag("soak")
  void aHundredThousandNodesWithSkipsHaveAnAnswer() {
    requireAnswer(50_000, 10_000_000);
  }

  private static void requireAnswer(int ofLayers, long work) {
    List<LayerRule.ForwardLayer> layers = new ArrayList<>(List.of(LayerRule.ForwardLayer.of("first", 1, 8)));
    for (int layer = 1; layer < ofLayers; layer++) {
      layers.add(layer % 4 == 0
        ? LayerRule.ForwardLayer.of("sum", 1, 8, layer - 1, layer - 4)
        : LayerRule.ForwardLayer.of("layer", 4 + layer % 3, 8, layer - 1));
    }
    RecomputeProblem problem = LayerRule.training(layers, 1, 1);
    assertThat(problem.nodes()).isEqualTo(2 * ofLayers + 1);
    long peak = WordJudge.peak(problem, problem.givenOrder());
    RecomputeAnswer answer = RecomputePlanner.plan(problem, peak / 2, work);
    assertThat(answer.bound()).isBetween(problem.costOnce(), answer.cost());
    assertThat(WordJudge.peak(problem, answer.word())).isEqualTo(answer.peakBytes());
    assertThat(answer.fits()).isTrue();
  }
}
