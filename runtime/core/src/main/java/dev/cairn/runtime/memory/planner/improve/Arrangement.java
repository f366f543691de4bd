package dev.cairn.runtime.memory.planner.improve;

import dev.cairn.runtime.memory.planner.GapChoice;
import java.util.Arrays;

/**
 * Where rectangles lie so far. Columns are cut into tiles, about equally many rectangles beginning in each, and a binary
 * tree stands on the tiles; each node of it lists the rectangles that reach into its columns, by offset. All neighbours
 * of a rectangle are in the list of the lowest node that spans it: a short one looks at few.
 *
 * <pre>
 *         [0, 40)           a rectangle in columns [3, 9) is listed at [0, 8), [8, 16), [0, 16) and [0, 40),
 *     [0, 16) [16, 40)      and looks for its neighbours in the list of [0, 16)
 *   [0,8) [8,16) …
 * </pre>
 *
 * No allocation but when a list grows. Not for several threads.
 */
final class Arrangement {
  /** What {@link #fit} answers instead of a top when it gave up. */
  static final long TOO_HIGH = Long.MAX_VALUE;

  private static final int MAX_TILES = 32;
  private static final int RECTANGLES_IN_TILE = 128;
  private static final long ABSENT = -1;

  private final Rectangles rectangles;
  private final Neighbours neighbours;
  /** By rectangle; {@link #ABSENT} when it is not placed. */
  private final long[] offset;
  /** By rectangle, the leaves with its first and its last column. */
  private final int[] firstLeaf;
  private final int[] lastLeaf;
  /** By node (root 1, children 2n and 2n+1): rectangles by offset, then by number. */
  private final int[][] listed;
  private final int[] listedCount;

  Arrangement(Rectangles rectangles) {
    this.rectangles = rectangles;
    int count = rectangles.count();
    neighbours = new Neighbours(count);
    offset = new long[count];
    Arrays.fill(offset, ABSENT);
    int tiles = Math.clamp(Integer.highestOneBit(Math.max(1, count / RECTANGLES_IN_TILE)), 1, MAX_TILES);
    int[] leaf = leaves(rectangles, tiles);
    firstLeaf = new int[count];
    lastLeaf = new int[count];
    for (int i = 0; i < count; i++) {
      firstLeaf[i] = leaf[rectangles.first(i)];
      lastLeaf[i] = leaf[rectangles.end(i) - 1];
    }
    listed = new int[2 * tiles][16];
    listedCount = new int[2 * tiles];
  }

  /** By column, its leaf. */
  private static int[] leaves(Rectangles rectangles, int tiles) {
    int[] leaf = new int[rectangles.columns()];
    int begun = 0;
    for (int column = 0; column < leaf.length; column++) {
      leaf[column] = tiles + (int) ((long) begun * tiles / rectangles.count());
      while (begun < rectangles.count() && rectangles.first(begun) == column) {
        begun++;
      }
    }
    return leaf;
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

  /** Places all as in these offsets, by rectangle, moving only those that lie elsewhere. */
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
    int low = firstLeaf[rectangle];
    int high = lastLeaf[rectangle];
    while (low >= 1) {
      for (int node = low; node <= high; node++) {
        int count = listedCount[node];
        if (count == listed[node].length) {
          listed[node] = Arrays.copyOf(listed[node], 2 * count);
        }
        int[] list = listed[node];
        int at = position(list, count, rectangle);
        System.arraycopy(list, at, list, at + 1, count - at);
        list[at] = rectangle;
        listedCount[node] = count + 1;
      }
      low >>= 1;
      high >>= 1;
    }
  }

  /** Takes one out that is placed. */
  void remove(int rectangle) {
    int low = firstLeaf[rectangle];
    int high = lastLeaf[rectangle];
    while (low >= 1) {
      for (int node = low; node <= high; node++) {
        int[] list = listed[node];
        int at = position(list, listedCount[node], rectangle);
        int count = --listedCount[node];
        System.arraycopy(list, at + 1, list, at, count - at);
      }
      low >>= 1;
      high >>= 1;
    }
    offset[rectangle] = ABSENT;
  }

  private int position(int[] list, int count, int rectangle) {
    long wanted = offset[rectangle];
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int other = list[middle];
      if (offset[other] < wanted || (offset[other] == wanted && other < rectangle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** All placed ones that share a column with this one, which is not placed; good until the next call. */
  Neighbours neighbours(int rectangle) {
    int first = rectangles.first(rectangle);
    int end = rectangles.end(rectangle);
    int node = firstLeaf[rectangle];
    for (int other = lastLeaf[rectangle]; node != other; other >>= 1) {
      node >>= 1;
    }
    int[] list = listed[node];
    int count = listedCount[node];
    neighbours.clear();
    for (int i = 0; i < count; i++) {
      int other = list[i];
      if (rectangles.first(other) < end && first < rectangles.end(other)) {
        neighbours.add(other, offset[other], offset[other] + rectangles.bytes(other));
      }
    }
    return neighbours;
  }

  void clear() {
    Arrays.fill(listedCount, 0);
    Arrays.fill(offset, ABSENT);
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
   * Places all rectangles anew, one after the other, as a {@link dev.cairn.runtime.memory.planner.BestFitPlanner} does.
   *
   * @param below gives up, leaving some unplaced, as soon as the top would not be below this, or when time is up
   * @return the top, or {@link #TOO_HIGH}
   */
  long fit(int[] sequence, GapChoice choice, long below, Effort effort) {
    clear();
    long top = 0;
    for (int rectangle : sequence) {
      fit(rectangle, choice);
      top = Math.max(top, top(rectangle));
      if (top >= below || effort.timeIsUp()) {
        return TOO_HIGH;
      }
    }
    return top;
  }
}
