package dev.cairn.runtime.memory.recompute;

import dev.cairn.runtime.memory.order.OrderProblem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A word that runs chosen nodes a second time. The second run comes right before the reader that follows the node's
 * longest wait: the longest stretch of steps between two of its readers. A node whose readers follow each other does
 * not wait, and runs once.
 *
 * @param word the nodes in their order, with the recomputations
 * @param impossible nodes that would run again after one that ends what they read, such as an assignment
 */
public record LongestWaits(Word word, List<Integer> impossible) {
  public LongestWaits {
    impossible = List.copyOf(impossible);
  }

  /** @param again the nodes that run again */
  public static LongestWaits of(RecomputeProblem problem, BitSet again) {
    OrderProblem order = problem.order();
    int[] recomputedAt = new int[problem.nodes()];
    Arrays.fill(recomputedAt, -1);
    Map<Integer, Deque<Integer>> recomputations = new HashMap<>();
    List<Integer> impossible = new ArrayList<>();
    // Readers first: a recomputation of a reader reads, too.
    for (int node = again.previousSetBit(problem.nodes()); node >= 0; node = again.previousSetBit(node - 1)) {
      int at = endOfLongestWait(order, node, recomputedAt);
      if (at >= 0 && Arrays.stream(order.edges(node)).anyMatch(later -> later < at)) {
        impossible.add(node);
      } else if (at >= 0) {
        recomputedAt[node] = at;
        recomputations.computeIfAbsent(at, _ -> new ArrayDeque<>()).addFirst(node);
      }
    }
    List<Integer> steps = new ArrayList<>();
    for (int node = 0; node < problem.nodes(); node++) {
      steps.addAll(recomputations.getOrDefault(node, new ArrayDeque<>()));
      steps.add(node);
    }
    return new LongestWaits(Word.of(steps.stream().mapToInt(Integer::intValue).toArray()), impossible);
  }

  /** The position of the reader, or -1. */
  private static int endOfLongestWait(OrderProblem order, int node, int[] recomputedAt) {
    var reads = new BitSet();
    for (int value : order.made(node)) {
      for (int reader : order.readers(value)) {
        reads.set(reader);
        if (recomputedAt[reader] >= 0) {
          reads.set(recomputedAt[reader]);
        }
      }
    }
    int end = -1;
    int longest = 1;
    int last = reads.nextSetBit(0);
    for (int read = last; read >= 0; read = reads.nextSetBit(read + 1)) {
      if (read - last > longest) {
        longest = read - last;
        end = read;
      }
      last = read;
    }
    return end;
  }
}
