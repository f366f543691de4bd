package dev.cairn.runtime.memory.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MemoryOrderTest {
  private static ChosenOrder choose(OrderProblem problem) {
    ChosenOrder chosen = MemoryOrder.choose(problem);
    judge("", problem, chosen);
    return chosen;
  }

  private static void judge(String what, OrderProblem problem, ChosenOrder chosen) {
    int[] order = chosen.order().stream().mapToInt(Integer::intValue).toArray();
    int[] given = IntStream.range(0, problem.nodes()).toArray();
    assertThat(OrderPeak.of(problem, order)).as(what).isEqualTo(chosen.peakBytes());
    assertThat(OrderPeak.of(problem, given)).as(what).isEqualTo(chosen.givenPeakBytes());
    assertThat(chosen.peakBytes()).as(what).isBetween(OrderPeak.boundOf(problem), chosen.givenPeakBytes());
    if (!chosen.isBetter()) {
      assertThat(order).as(what).isEqualTo(given);
    }
  }

  @Test
  void smallProblemsGetTheBestOfAllOrders() {
    requireBest(0, 120);
  }

  @Test
  @Tag("long")
  void manySmallProblemsGetTheBestOfAllOrders() {
    requireBest(120, 1000);
  }

  private static void requireBest(long from, long to) {
    int better = 0;
    for (long seed = from; seed < to; seed++) {
      OrderProblem problem = RandomOrderProblems.seeded(seed, 1 + (int) (seed % 8), 8);
      ChosenOrder chosen = choose(problem);
      assertThat(chosen.peakBytes()).as("seed %d", seed).isEqualTo(EveryOrder.lowestPeak(problem));
      assertThat(chosen.optimal()).as("seed %d", seed).isTrue();
      better += chosen.isBetter() ? 1 : 0;
    }
    assertThat(better).as("problems that teach something").isGreaterThan((int) (to - from) / 5);
  }

  @Test
  void theJudgeAgreesWithTheDefinition() {
    for (long seed = 0; seed < 300; seed++) {
      OrderProblem problem = RandomOrderProblems.seeded(seed, 12, 6);
      int[] given = IntStream.range(0, 12).toArray();
      assertThat(OrderPeak.of(problem, given)).as("seed %d", seed).isEqualTo(EveryOrder.peak(problem,
        IntStream.of(given).boxed().toList()));
    }
  }

  @Test
  void littleWorkStillGivesAnOrderThatIsNoWorse() {
    requireNoWorse(0, 4, 3_000);
  }

  @Test
  @Tag("long")
  void moreWorkStillGivesAnOrderThatIsNoWorse() {
    requireNoWorse(4, 20, 300_000);
  }

  private static void requireNoWorse(long from, long to, long mostWork) {
    for (long seed = from; seed < to; seed++) {
      OrderProblem problem = RandomOrderProblems.seeded(seed, 60, 5 + (int) seed % 50);
      long unlimited = MemoryOrder.choose(problem, 1_000_000).peakBytes();
      for (long work : LongStream.of(0, 1, 100, 3_000, 30_000, 300_000).filter(it -> it <= mostWork).toArray()) {
        ChosenOrder chosen = MemoryOrder.choose(problem, work);
        judge("seed " + seed + " work " + work, problem, chosen);
        assertThat(MemoryOrder.choose(problem, work)).isEqualTo(chosen);
        if (chosen.optimal()) {
          assertThat(chosen.peakBytes()).isLessThanOrEqualTo(unlimited);
        }
      }
    }
  }

  /** MODeL's smallest case: A→B 10, B→C 20, B→D 30, D→E 40. */
  @Test
  void modelSimpleGraph70() {
    var graph = OrderProblem.builder(5);
    graph.value(0, 10, false, 1);
    graph.value(1, 20, false, 2);
    graph.value(1, 30, false, 3);
    graph.value(3, 40, false, 4);
    ChosenOrder chosen = choose(graph.build());
    assertThat(chosen.peakBytes()).isEqualTo(70);
    assertThat(chosen.optimal()).isTrue();
  }

  private static OrderProblem.Builder diamond() {
    var graph = OrderProblem.builder(7);
    graph.value(0, 10, false, 1);
    graph.value(1, 20, false, 2);
    graph.value(1, 30, false, 3);
    graph.value(3, 40, false, 4);
    graph.value(4, 50, false, 5);
    graph.value(2, 60, false, 5);
    graph.value(5, 10, false, 6);
    return graph;
  }

  /** MODeL's diamond: A→B 10, B→C 20, B→D 30, D→E 40, E→F 50, C→F 60, F→G 10. C goes after E. */
  @Test
  void modelDiamond130From150() {
    ChosenOrder chosen = choose(diamond().build());
    assertThat(chosen.givenPeakBytes()).isEqualTo(150);
    assertThat(chosen.peakBytes()).isEqualTo(130);
    assertThat(chosen.order()).containsExactly(0, 1, 3, 4, 2, 5, 6);
    assertThat(chosen.optimal()).isTrue();
  }

  /** The same with C before E: an order that is asked for is kept. */
  @Test
  void modelControlDependency150() {
    ChosenOrder chosen = choose(diamond().before(2, 4).build());
    assertThat(chosen.peakBytes()).isEqualTo(150);
    assertThat(chosen.isBetter()).isFalse();
    assertThat(chosen.optimal()).isTrue();
  }

  /** A→B 10, A→C 20, B→D 30, D→E 40, C→E 50. */
  @Test
  void modelMultipleFanIn110From120() {
    var graph = OrderProblem.builder(5);
    graph.value(0, 10, false, 1);
    graph.value(0, 20, false, 2);
    graph.value(1, 30, false, 3);
    graph.value(3, 40, false, 4);
    graph.value(2, 50, false, 4);
    ChosenOrder chosen = choose(graph.build());
    assertThat(chosen.givenPeakBytes()).isEqualTo(120);
    assertThat(chosen.peakBytes()).isEqualTo(110);
    assertThat(chosen.optimal()).isTrue();
  }

  /** A→B 10, A→C 20, and one value of 30 that B and C write for D: it is there before either. */
  @Test
  void modelSharedFanIn60() {
    var graph = OrderProblem.builder(5);
    graph.value(0, 10, false, 2);
    graph.value(0, 20, false, 3);
    graph.value(1, 30, false, 2, 3, 4);
    graph.before(0, 1).before(2, 4).before(3, 4);
    ChosenOrder chosen = choose(graph.build());
    assertThat(chosen.peakBytes()).isEqualTo(60);
    assertThat(chosen.optimal()).isTrue();
  }

  /** MODeL's pathological case: eight pairs of a writer and its reader; all writers first needs 42, in pairs 9. */
  @Test
  void modelPathologicalPairs() {
    long[] bytes = {1, 9, 1, 8, 1, 7, 8, 7};
    var graph = OrderProblem.builder(16);
    for (int i = 0; i < 8; i++) {
      graph.value(i, bytes[i], false, 8 + i);
    }
    ChosenOrder chosen = choose(graph.build());
    assertThat(chosen.givenPeakBytes()).isEqualTo(42);
    assertThat(chosen.peakBytes()).isEqualTo(9);
    assertThat(chosen.optimal()).isTrue();
  }

  @Test
  void nothingToOrder() {
    ChosenOrder none = choose(OrderProblem.builder(0).build());
    assertThat(none.order()).isEmpty();
    assertThat(none.peakBytes()).isZero();
    assertThat(choose(OrderProblem.builder(3).build()).order()).containsExactly(0, 1, 2);
  }
}
