package dev.cairn.runtime.memory.recompute.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.memory.recompute.RecomputeProblem;
import dev.cairn.runtime.memory.recompute.Word;
import dev.cairn.runtime.memory.recompute.WordJudge;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** MXNet's mirroring: which nodes are worth running again, by hand. */
class MirrorTest {
  /** Each value's bytes and readers; value i is of node i. */
  private static RecomputeProblem problem(int[][] values) {
    OrderProblem.Builder order = OrderProblem.builder(values.length);
    for (int node = 0; node < values.length; node++) {
      int[] readers = new int[values[node].length - 1];
      System.arraycopy(values[node], 1, readers, 0, readers.length);
      order.value(node, values[node][0], false, readers);
    }
    return RecomputeProblem.builder(order.build()).build();
  }

  private static BitSet nodes(int... nodes) {
    var set = new BitSet();
    for (int node : nodes) {
      set.set(node);
    }
    return set;
  }

  /** The gradient of a sum reads nothing, that of tanh its result: nothing is gained. */
  @Test
  void aSumOfProductsUnderTanhIsHeld() {
    // 0, 1: products; 2: sum; 3: tanh, read by its gradient 4.
    RecomputeProblem graph = problem(new int[][] {{4, 2}, {4, 2}, {4, 3}, {4, 4}, {4}});
    assertThat(MirroredNodes.of(graph, nodes(2, 3))).isEqualTo(nodes());
  }

  /** Five sums of one x and rows y, each under tanh: the sums take more than x and the rows, so all are mirrored. */
  @Test
  void broadcastSumsThatShareAnOperandAreDecidedTogether() {
    int[][] values = new int[17][];
    values[0] = new int[] {5, 6, 7, 8, 9, 10};
    for (int i = 0; i < 5; i++) {
      values[1 + i] = new int[] {1, 6 + i};
      values[6 + i] = new int[] {5, 11 + i};
      values[11 + i] = new int[] {5, 16};
    }
    values[16] = new int[] {1};
    BitSet all = nodes(6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    assertThat(MirroredNodes.of(problem(values), all)).isEqualTo(all);
    values[0][0] = 20;
    assertThat(MirroredNodes.of(problem(values), all)).as("x is as large as the sums").isEqualTo(nodes());
  }

  /** The gradient of a batch norm reads the convolution's result: norm and relu run again, the convolution does not. */
  @Test
  void normAndReluBehindAConvolutionAreMirrored() {
    // conv 0, norm 1, relu 2, conv 3, norm 4, relu 5, loss 6, gradients 7 to 12.
    RecomputeProblem graph = problem(
      new int[][] {{4, 1, 11}, {4, 2}, {4, 3, 9, 10}, {4, 4, 8}, {4, 5}, {4, 6, 7}, {1, 7},
        {4, 8}, {4, 9}, {4, 10}, {4, 11}, {4, 12}, {4}});
    BitSet mirrored = MirroredNodes.of(graph, nodes(1, 2, 4, 5));
    assertThat(mirrored).isEqualTo(nodes(1, 2, 4, 5));
    Word word = MirroredNodes.word(graph, 7, mirrored).orElseThrow();
    assertThat(word).isEqualTo(Word.of(0, 1, 2, 3, 4, 5, 6, 4, 5, 7, 8, 1, 2, 9, 10, 11, 12));
    assertThat(WordJudge.peak(graph, word)).isLessThanOrEqualTo(WordJudge.peak(graph, graph.givenOrder()));
  }

  @Test
  void whatMayNotBeMirroredIsNot() {
    RecomputeProblem graph = problem(new int[][] {{4, 1, 3}, {4, 2, 3}, {4, 3}, {4}});
    assertThat(MirroredNodes.of(graph, nodes())).isEqualTo(nodes());
    assertThat(MirroredNodes.word(graph, 2, nodes())).contains(graph.givenOrder());
  }
}
