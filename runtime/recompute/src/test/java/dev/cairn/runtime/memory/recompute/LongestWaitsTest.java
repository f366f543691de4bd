package dev.cairn.runtime.memory.recompute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.order.OrderProblem;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Nodes run again at the end of their longest waits, and recomputations of their readers read, too. */
class LongestWaitsTest {
  private static BitSet set(int... nodes) {
    var set = new BitSet();
    for (int node : nodes) {
      set.set(node);
    }
    return set;
  }

  @Test
  void aChainsNodesRunAgainBeforeTheirGradients() {
    RecomputeProblem chain = RecomputeProblems.chain(4);
    LongestWaits waits = LongestWaits.of(chain, set(1, 2));
    assertThat(waits.word().steps()).containsExactly(0, 1, 2, 3, 4, 5, 1, 2, 6, 7, 8);
    assertThat(waits.impossible()).isEmpty();
    assertThat(WordJudge.cost(chain, waits.word())).isEqualTo(chain.costOnce() + 2);
  }

  @Test
  void withoutAWaitNothingRunsAgain() {
    RecomputeProblem chain = RecomputeProblems.chain(4);
    assertThat(LongestWaits.of(chain, set(3, 4, 8)).word()).isEqualTo(chain.givenOrder());
    assertThat(LongestWaits.of(chain, set()).word()).isEqualTo(chain.givenOrder());
  }

  @Test
  void theLongestOfSeveralWaitsCounts() {
    var order = OrderProblem.builder(8);
    order.value(0, 1, false, 1, 3, 6);
    for (int node = 1; node < 8; node++) {
      order.value(node, 1, node == 7, node == 7 ? new int[0] : new int[] {node + 1});
    }
    RecomputeProblem problem = RecomputeProblem.builder(order.build()).build();
    assertThat(LongestWaits.of(problem, set(0)).word().steps()).containsExactly(0, 1, 2, 3, 4, 5, 0, 6, 7);
  }

  @Test
  void whatEndsWhatANodeReadsForbidsItsRecomputation() {
    var order = OrderProblem.builder(5);
    order.value(0, 1, false, 1, 4);
    order.value(1, 1, false, 2);
    order.value(2, 1, false, 3);
    order.value(3, 1, false, 4);
    order.value(4, 1, true);
    order.before(0, 2);
    RecomputeProblem problem = RecomputeProblem.builder(order.build()).build();
    LongestWaits waits = LongestWaits.of(problem, set(0));
    assertThat(waits.impossible()).containsExactly(0);
    assertThat(waits.word()).isEqualTo(problem.givenOrder());
  }
}
