package dev.cairn.runtime.memory.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LazyOrderTest {
  @Test
  void aNodeComesRightBeforeItsFirstReader() {
    var builder = OrderProblem.builder(6);
    builder.value(0, 1, false, 2, 5);
    builder.value(1, 1, false, 4);
    builder.value(2, 1, false, 3);
    builder.value(4, 1, false, 5);
    OrderProblem problem = builder.build();
    assertThat(LazyOrder.of(problem)).containsExactly(0, 2, 3, 1, 4, 5);
    OrderProblem bound = OrderProblem.builder(3).before(1, 2).build();
    assertThat(LazyOrder.of(bound)).isEqualTo(List.of(0, 1, 2));
  }

  @Test
  void itIsAnOrderOfEveryProblem() {
    for (int seed = 0; seed < 300; seed++) {
      OrderProblem problem = RandomOrderProblems.seeded(seed, 5 + seed % 60, 1 + seed % 40);
      List<Integer> order = LazyOrder.of(problem);
      // The judge refuses sequences that are no order of the problem.
      assertThat(OrderPeak.of(problem, order.stream().mapToInt(Integer::intValue).toArray())).isNotNegative();
    }
  }

  @Test
  void aChainOfManyNodesIsNoTrouble() {
    var builder = OrderProblem.builder(100_000);
    for (int node = 0; node + 1 < 100_000; node++) {
      builder.value(node, 1, false, node + 1);
    }
    assertThat(LazyOrder.of(builder.build())).hasSize(100_000);
  }
}
