package dev.cairn.runtime.memory.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EagerOrderTest {
  private static List<Integer> given(OrderProblem problem) {
    return IntStream.range(0, problem.nodes()).boxed().toList();
  }

  private static long peak(OrderProblem problem, List<Integer> order) {
    return OrderPeak.of(problem, order.stream().mapToInt(Integer::intValue).toArray());
  }

  /** Nodes 0 to 2 make gradients, 3 to 5 consume one each. */
  private static OrderProblem.Builder updates() {
    var builder = OrderProblem.builder(6);
    for (int node = 0; node < 3; node++) {
      builder.value(node, 100, false, node + 3);
    }
    return builder;
  }

  @Test
  void whatMakesNothingRunsRightAfterWhatItNeeds() {
    OrderProblem problem = updates().build();
    assertThat(EagerOrder.of(problem, given(problem))).containsExactly(0, 3, 1, 4, 2, 5);
    OrderProblem waiting = updates().before(2, 3).build();
    assertThat(EagerOrder.of(waiting, given(waiting))).as("3 also waits for 2").containsExactly(0, 1, 4, 2, 3, 5);
  }

  @Test
  void aWorkspaceMustNotRaiseThePeak() {
    OrderProblem small = updates().workspace(4, 100).build();
    assertThat(EagerOrder.of(small, given(small))).containsExactly(0, 3, 1, 4, 2, 5);
    // Beside a value of 1,000 bytes that node 2 reads last, node 4's workspace would raise the peak.
    var builder = OrderProblem.builder(6);
    builder.value(0, 1_000, false, 2);
    builder.value(0, 100, false, 3);
    builder.value(1, 100, false, 4);
    builder.value(2, 100, false, 5);
    OrderProblem large = builder.workspace(4, 500).build();
    assertThat(EagerOrder.of(large, given(large))).containsExactly(0, 3, 1, 2, 5, 4);
  }

  @Test
  void aValueInThePlaceOfOneReadLastTakesNoMemory() {
    var builder = OrderProblem.builder(5);
    int gradient = builder.value(0, 100, false, 2);
    builder.value(1, 100, false, 4);
    int step = builder.value(2, 100, false, 3);
    OrderProblem problem = builder.inPlace(2, gradient, step).build();
    assertThat(EagerOrder.of(problem, given(problem))).containsExactly(0, 2, 3, 1, 4);
  }

  @Test
  void thePeakIsNeverHigher() {
    int moved = 0;
    for (int seed = 0; seed < 500; seed++) {
      OrderProblem problem = RandomOrderProblems.seeded(seed, 5 + seed % 60, 1 + seed % 40);
      List<Integer> order = EagerOrder.of(problem, given(problem));
      assertThat(peak(problem, order)).as("seed %d", seed).isLessThanOrEqualTo(peak(problem, given(problem)));
      moved += order.equals(given(problem)) ? 0 : 1;
    }
    assertThat(moved).isGreaterThan(50);
  }
}
