package dev.cairn.runtime.memory.recompute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.chen.ChenWords;
import dev.cairn.runtime.memory.recompute.exact.ResidentSetSearch;
import dev.cairn.runtime.memory.recompute.revolve.LinearTraining;
import dev.cairn.runtime.memory.recompute.revolve.RevolveWord;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Checkpoints on chains: Revolve's closed form, Chen's two rules. */
class ChainTest {
  private static long revolve(int n, int units) {
    RecomputeProblem chain = RecomputeProblems.chain(n);
    Word word = RevolveWord.of(chain, n + 1, units - 2).orElseThrow();
    assertThat(WordJudge.peak(chain, word)).as("n=%d m=%d", n, units).isLessThanOrEqualTo(units);
    return WordJudge.cost(chain, word);
  }

  /** The least cost in m units of memory is (n + 1) + t(n + 1, m - 2). */
  @Test
  void revolveIsTheClosedFormOnPlainChains() {
    long[] printed = {45, 26, 22, 21, 20, 19, 18, 17};
    for (int m = 3; m <= 10; m++) {
      assertThat(revolve(8, m)).as("m=%d", m).isEqualTo(printed[m - 3]);
    }
    assertThat(List.of(revolve(32, 5), revolve(32, 8), revolve(32, 12), revolve(32, 20), revolve(64, 18)))
      .isEqualTo(List.of(130L, 96L, 87L, 79L, 177L));
    for (int n = 1; n <= 64; n += 3) {
      for (int m = 3; m <= 18; m++) {
        assertThat(revolve(n, m)).isEqualTo(n + 1 + RevolveWord.leastSteps(n + 1, m - 2));
      }
    }
    assertThat(revolve(1000, 34)).isEqualTo(1001 + RevolveWord.leastSteps(1001, 32));
  }

  /** Two independent ways to the least cost: the closed form, and the search over sets of resident values. */
  @Test
  void theClosedFormIsTheLeastCostOfLinearTraining() {
    for (int n = 1; n <= 8; n++) {
      RecomputeProblem chain = RecomputeProblems.chain(n);
      for (int units = 3; units <= n + 3; units++) {
        Word cheapest = ResidentSetSearch.search(chain, units, 2_000_000).word().orElseThrow();
        assertThat(LinearTraining.leastCost(chain, units)).as("n=%d units=%d", n, units).hasValue(WordJudge.cost(chain,
          cheapest));
      }
      assertThat(LinearTraining.leastCost(chain, 2)).isEmpty();
    }
    RecomputeProblem.Builder dearer = RecomputeProblem.builder(RecomputeProblems.chain(4).order());
    assertThat(LinearTraining.leastCost(dearer.cost(3, 2).build(), 4)).isEmpty();
    assertThat(LinearTraining.leastCost(residual(2), 40)).isEmpty();
  }

  @Test
  void revolveReversesBlocksWithSkips() {
    RecomputeProblem net = residual(12);
    int border = net.nodes() / 2;
    long once = WordJudge.peak(net, net.givenOrder());
    int states = RevolveWord.states(net, border);
    assertThat(states).isEqualTo(13);
    long cost = 0;
    for (int held = states; held >= 1; held--) {
      Word word = RevolveWord.of(net, border, held).orElseThrow();
      assertThat(WordJudge.peak(net, word)).isLessThan(once);
      assertThat(WordJudge.cost(net, word)).isGreaterThanOrEqualTo(cost);
      cost = WordJudge.cost(net, word);
    }
  }

  /** Blocks conv, conv, add of one more cost than the one before. */
  private static RecomputeProblem residual(int blocks) {
    var text = new StringBuilder("5,4,");
    for (int block = 0; block < blocks; block++) {
      int x = 3 * block;
      text.append(";5,4,").append(x).append(";5,4,").append(x + 1).append(";1,4,").append(x).append(' ').append(x + 2);
    }
    return RecomputeProblems.net(text.toString());
  }

  @Test
  void chenHoldsEveryRootOfThePoints() {
    RecomputeProblem chain = RecomputeProblems.chain(16);
    Word word = ChenWords.sqrt(chain, 16).orElseThrow();
    // Checkpoints at 3, 7, 11, 15; the three nodes before each run again.
    assertThat(WordJudge.cost(chain, word)).isEqualTo(chain.costOnce() + 4 * 3);
    assertThat(Arrays.copyOfRange(word.steps(), 17, 25)).containsExactly(17, 12, 13, 14, 18, 19, 20, 21);
    assertThat(WordJudge.peak(chain, word)).isEqualTo(8);
    long leastPeak = ChenWords.greedy(chain, 16).stream().mapToLong(it -> WordJudge.peak(chain, it)).min()
      .orElseThrow();
    assertThat(leastPeak).isLessThanOrEqualTo(8);
  }

  @Test
  void whatRunsOnceOrIsEndedByAnEdgeIsNotRunAgain() {
    OrderProblem.Builder order = OrderProblem.builder(5);
    order.value(0, 1, false, 1, 4);
    order.value(1, 1, false, 2, 3);
    order.value(2, 1, false, 3);
    order.value(3, 1, false, 4);
    order.before(1, 3);
    RecomputeProblem problem = RecomputeProblem.builder(order.build()).once(0).build();
    assertThat(RevolveWord.of(problem, 3, 1).map(Word::toString)).isEqualTo(Optional.of("[0, 1, 2, 3, 4]"));
    assertThat(ChenWords.sqrt(problem, 3)).isPresent();
  }
}
