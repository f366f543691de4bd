package dev.cairn.runtime.memory.planner.improve;

import dev.cairn.runtime.memory.planner.GapChoice;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Where rectangles lie so far, and ways to place them one after the other. Pinned ones are always placed. No allocation
 * but when an index grows. Not for several threads.
 */
final class Arrangement {
  /** The answer of {@link #fit} when it gave up, instead of a top. */
  static final long TOO_HIGH = Long.MAX_VALUE;

  private static final long ABSENT = -1;

  private final Rectangles rectangles;
  private final Neighbours neighbours;
  /** For each rectangle; {@link #ABSENT} when it is not placed. */
  private final long[] offset;
  private final TileTree tree;
  /** The rectangles whose neighbours may live at any time. */
  private final BitSet anywhere;

  Arrangement(Rectangles rectangles) {
    this.rectangles = rectangles;
    int count = rectangles.count();
    neighbours = new Neighbours(count);
    offset = new long[count];
    tree = new TileTree(rectangles, offset);
    anywhere = new BitSet(count);
    for (int i = 0; i < count && !rectangles.isPlain(); i++) {
      anywhere.set(i, rectangles.meetsBeyondTime(i));
    }
    clear();
  }

  long offset(int rectangle) {
    return offset[rectangle];
  }

  boolean isPlaced(int rectangle) {
    return offset[rectangle] != ABSENT;
  }

  long top(int rectangle) {
    return offset[rectangle] + rectangles.bytes(rectangle);
  }

  /** The highest top; 0 when nothing is placed. */
  long top() {
    long top = 0;
    for (int i = 0; i < offset.length; i++) {
      top = isPlaced(i) ? Math.max(top, top(i)) : top;
    }
    return top;
  }

  /** A copy of all offsets, by rectangle. */
  long[] offsets() {
    return offset.clone();
  }

  /** Places all as in these offsets, by rectangle, moving only rectangles that lie elsewhere. */
  void restore(long[] offsets) {
    for (int i = 0; i < offset.length; i++) {
      if (isPlaced(i) && offset[i] != offsets[i]) {
        remove(i);
      }
    }
    for (int i = 0; i < offset.length; i++) {
      if (!isPlaced(i)) {
        place(i, offsets[i]);
      }
    }
  }

  /** Places one that is not placed. */
  void place(int rectangle, long newOffset) {
    offset[rectangle] = newOffset;
    tree.add(rectangle);
  }

  /** Takes one out that is placed. */
  void remove(int rectangle) {
    tree.remove(rectangle);
    offset[rectangle] = ABSENT;
  }

  /** All placed ones that this one must not overlap, which is not placed; good until the next call. */
  Neighbours neighbours(int rectangle) {
    neighbours.clear();
    if (rectangles.isPlain()) {
      addThoseInTime(rectangle, tree.lowestNode(rectangle));
    } else {
      addThoseThatMeet(rectangle, anywhere.get(rectangle) ? TileTree.ROOT : tree.lowestNode(rectangle));
    }
    return neighbours;
  }

  private void addThoseInTime(int rectangle, int node) {
    int first = rectangles.first(rectangle);
    int end = rectangles.end(rectangle);
    int[] list = tree.listed(node);
    int count = tree.count(node);
    for (int i = 0; i < count; i++) {
      int other = list[i];
      if (rectangles.first(other) < end && first < rectangles.end(other)) {
        neighbours.add(other, offset[other], offset[other] + rectangles.bytes(other));
      }
    }
  }

  private void addThoseThatMeet(int rectangle, int node) {
    int[] list = tree.listed(node);
    int count = tree.count(node);
    for (int i = 0; i < count; i++) {
      int other = list[i];
      if (rectangles.meet(rectangle, other)) {
        neighbours.add(other, offset[other], top(other));
      }
    }
  }

  /** Takes out all rectangles but pinned ones. */
  void clear() {
    tree.clear();
    Arrays.fill(offset, ABSENT);
    for (int i = 0; i < offset.length; i++) {
      if (rectangles.isPinned(i)) {
        place(i, rectangles.pinnedAt(i));
      }
    }
  }

  /** Places one in a gap, or above all its neighbours when there is none. */
  void fit(int rectangle, GapChoice choice) {
    long at = neighbours(rectangle).gap(rectangles.bytes(rectangle), rectangles.alignment(rectangle), TOO_HIGH, choice);
    place(rectangle, at);
  }

  /** Places one directly above all its neighbours, whatever gaps there are below. */
  void drop(int rectangle) {
    place(rectangle, neighbours(rectangle).above(rectangles.alignment(rectangle)));
  }

  /**
   * Places all rectangles that are not pinned anew, one after the other, as a
   * {@link dev.cairn.runtime.memory.planner.BestFitPlanner} does.
   *
   * @param below gives up, leaving some unplaced, as soon as the top would not be below this, or when time is up
   * @return the top, or {@link #TOO_HIGH}
   */
  long fit(int[] sequence, GapChoice choice, long below, MoveBudget budget) {
    clear();
    long top = top();
    for (int rectangle : sequence) {
      fit(rectangle, choice);
      top = Math.max(top, top(rectangle));
      if (top >= below || budget.timeIsUp()) {
        return TOO_HIGH;
      }
    }
    return top;
  }
}
