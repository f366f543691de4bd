package dev.cairn.runtime.memory;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The most reserved bytes held at one step. No plan can take fewer; not every problem has a plan that takes no more.
 *
 * @param bytes the bound; 0 without buffers
 * @param step the first step at which so many bytes are held; 0 without buffers
 */
public record LowerBound(long bytes, int step) {
  /** The bound of a problem, by a sweep over its steps: O(n log n). */
  public static LowerBound of(MemoryProblem problem) {
    List<Lifetime> held = problem.held();
    int[] byFirst = sorted(held, Comparator.comparingInt(Lifetime::first));
    int[] byEnd = sorted(held, Comparator.comparingInt(Lifetime::end));
    LowerBound bound = new LowerBound(0, 0);
    long heldBytes = 0;
    int ended = 0;
    for (int i : byFirst) {
      int step = held.get(i).first();
      while (held.get(byEnd[ended]).end() <= step) {
        heldBytes -= problem.buffer(byEnd[ended++]).reservedBytes();
      }
      heldBytes += problem.buffer(i).reservedBytes();
      if (heldBytes > bound.bytes) {
        bound = new LowerBound(heldBytes, step);
      }
    }
    return bound;
  }

  private static int[] sorted(List<Lifetime> held, Comparator<Lifetime> order) {
    return IntStream.range(0, held.size()).boxed().sorted(Comparator.comparing(held::get, order))
      .mapToInt(Integer::intValue).toArray();
  }
}
