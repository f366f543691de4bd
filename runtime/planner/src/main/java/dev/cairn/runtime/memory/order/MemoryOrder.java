package dev.cairn.runtime.memory.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Chooses the topological order of a problem that needs the least memory: the best of all where that can be found with
 * the work allowed, else a good one; never worse than the given one. The same problem always gets the same answer.
 * After MODeL (Steiner and others 2023) in the question, not in the method.
 */
public final class MemoryOrder {
  /** The work of a search by default: under a second for the largest graphs, a few
   * milliseconds for most. */
  public static final long DEFAULT_WORK = 10_000_000;

  private static final int[] BEAM_WIDTHS = {1, 4, 16, 64};

  private final OrderProblem problem;
  private final Work work;
  private final int[] order;
  private long floor;
  private long proved;

  private MemoryOrder(OrderProblem problem, long units) {
    this.problem = problem;
    this.work = new Work(units);
    this.order = IntStream.range(0, problem.nodes()).toArray();
  }

  /** Like {@link #choose(OrderProblem, long)} with {@link #DEFAULT_WORK}. */
  public static ChosenOrder choose(OrderProblem problem) {
    return choose(problem, DEFAULT_WORK);
  }

  /** @param work how much searching may cost, about one unit for a word of memory written; 0 gives the given order */
  public static ChosenOrder choose(OrderProblem problem, long work) {
    return new MemoryOrder(problem, work).choose();
  }

  private ChosenOrder choose() {
    long[] held = OrderPeak.bytesByPosition(problem, order);
    long given = Arrays.stream(held).max().orElse(0);
    floor = Math.max(OrderPeak.boundOf(problem), outsideSegments(held));
    proved = floor;
    List<Segments.Range> ranges = new ArrayList<>(Segments.of(problem));
    ranges.sort(Comparator.comparingLong(range -> -peak(held, range)));
    for (Segments.Range range : ranges) {
      if (peak(held, range) > floor) {
        solve(range, peak(held, range));
      }
    }
    long peak = OrderPeak.of(problem, order);
    if (peak >= given) {
      Arrays.setAll(order, i -> i);
    }
    return new ChosenOrder(Arrays.stream(order).boxed().toList(), Math.min(peak, given), given, Math.min(peak,
      given) <= proved);
  }

  /** The memory that cuts need, which no order changes. */
  private long outsideSegments(long[] held) {
    long[] outside = held.clone();
    Segments.of(problem).forEach(range -> Arrays.fill(outside, range.from(), range.to(), 0));
    return Arrays.stream(outside).max().orElse(0);
  }

  private static long peak(long[] held, Segments.Range range) {
    return Arrays.stream(held, range.from(), range.to()).max().orElse(0);
  }

  private void solve(Segments.Range range, long peak) {
    Segment segment = Segment.of(problem, order, range.from(), range.to());
    LowestPeakSearch.SearchedOrder exact = LowestPeakSearch.search(segment, floor, peak, work.part(work.left() / 4));
    exact.order().ifPresent(it -> put(range, it));
    if (!exact.proved()) {
      approximate(range, segment, peak);
    }
    long reached = peak(OrderPeak.bytesByPosition(problem, order), range);
    floor = Math.max(floor, reached);
    proved = exact.proved() ? Math.max(proved, reached) : proved;
  }

  private void approximate(Segments.Range range, Segment segment, long peak) {
    long best = peak;
    for (int width : BEAM_WIDTHS) {
      var found = BeamSearch.search(segment, floor, best, width, work.part(work.left() / 2));
      if (found.isPresent()) {
        put(range, found.get());
        best = peak(OrderPeak.bytesByPosition(problem, order), range);
      }
    }
    WindowImprovement.improve(problem, range, order, floor, work.part(work.left() / 2));
  }

  private void put(Segments.Range range, int[] nodes) {
    System.arraycopy(nodes, 0, order, range.from(), nodes.length);
  }
}
