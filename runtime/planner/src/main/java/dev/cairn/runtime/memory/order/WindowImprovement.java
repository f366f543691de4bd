package dev.cairn.runtime.memory.order;

/**
 * Makes an order better where it needs most: takes a window around the peak, finds the best order of the nodes in it,
 * and goes on with the new peak. Windows grow when those of one size bring nothing more.
 */
final class WindowImprovement {
  private static final int[] SIZES = {12, 24, 48, 96, 192};
  private static final long WORK_OF_ONE_WINDOW = 200_000;

  private final OrderProblem problem;
  private final Segments.Range range;
  private final int[] order;
  private final Work work;

  private WindowImprovement(OrderProblem problem, Segments.Range range, int[] order, Work work) {
    this.problem = problem;
    this.range = range;
    this.order = order;
    this.work = work;
  }

  /**
   * Changes the order within a range, never for the worse.
   *
   * @param floor a peak that is low enough
   */
  static void improve(OrderProblem problem, Segments.Range range, int[] order, long floor, Work work) {
    var improvement = new WindowImprovement(problem, range, order, work);
    int size = 0;
    while (size < SIZES.length && !work.isSpent()) {
      size = improvement.step(SIZES[size], floor) ? 0 : size + 1;
    }
  }

  /** Whether the first peak of the range has been lowered. */
  private boolean step(int size, long floor) {
    long[] held = OrderPeak.bytesByPosition(problem, order);
    work.spend(10L * order.length); // the cost of numbering the whole order
    int at = range.from();
    for (int i = range.from(); i < range.to(); i++) {
      at = held[i] > held[at] ? i : at;
    }
    if (held[at] <= floor) {
      return false;
    }
    for (int before : new int[] {size / 2, size / 8, size - size / 8}) {
      int from = Math.max(range.from(), at - before);
      int to = Math.min(range.to(), from + size);
      if (lower(from, to, floor, held[at])) {
        return true;
      }
    }
    return false;
  }

  private boolean lower(int from, int to, long floor, long peak) {
    work.spend(10L * order.length); // the cost of numbering the whole order
    Segment segment = Segment.of(problem, order, from, to);
    var outcome = LowestPeakSearch.search(segment, floor, peak, work.part(WORK_OF_ONE_WINDOW));
    outcome.order().ifPresent(it -> System.arraycopy(it, 0, order, from, it.length));
    return outcome.order().isPresent();
  }
}
