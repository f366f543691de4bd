package dev.cairn.runtime.memory.planner.improve;

import java.util.Arrays;

/**
 * An index of placed rectangles by time and offset. Columns are cut into tiles, about equally many rectangles beginning
 * in each, and a binary tree stands on the tiles; each node lists the rectangles that reach into its columns, by
 * offset. All that share a column with a rectangle are in the list of the lowest node that spans it: a short one looks
 * at few.
 *
 * <pre>
 *          [0, 32)            a rectangle in columns [3, 9) is listed at [0, 8), [8, 16), [0, 16) and [0, 32),
 *     [0, 16)  [16, 32)       and finds what shares a column with it in the list of [0, 16)
 *   [0,8) [8,16) …
 * </pre>
 *
 * No allocation but when a list grows. Not for several threads.
 */
final class TileTree {
  static final int ROOT = 1;

  private static final int MAX_TILES = 32;
  private static final int RECTANGLES_IN_TILE = 128;

  /** For each rectangle, kept by the owner; that of a listed one must not change. */
  private final long[] offset;
  /** For each rectangle, the leaves with its first and its last column. */
  private final int[] firstLeaf;
  private final int[] lastLeaf;
  /** For each node (root 1, children 2n and 2n+1): rectangles by offset, then by number. */
  private final int[][] listed;
  private final int[] count;

  TileTree(Rectangles rectangles, long[] offset) {
    this.offset = offset;
    int size = rectangles.count();
    int tiles = Math.clamp(Integer.highestOneBit(Math.max(1, size / RECTANGLES_IN_TILE)), 1, MAX_TILES);
    int[] leaf = leaves(rectangles, tiles);
    firstLeaf = new int[size];
    lastLeaf = new int[size];
    for (int i = 0; i < size; i++) {
      firstLeaf[i] = leaf[rectangles.first(i)];
      lastLeaf[i] = leaf[rectangles.end(i) - 1];
    }
    listed = new int[2 * tiles][16];
    count = new int[2 * tiles];
  }

  /** For each column, its leaf. */
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

  void clear() {
    Arrays.fill(count, 0);
  }

  /** Adds a rectangle at its offset. */
  void add(int rectangle) {
    int low = firstLeaf[rectangle];
    int high = lastLeaf[rectangle];
    while (low >= ROOT) {
      for (int node = low; node <= high; node++) {
        insert(node, rectangle);
      }
      low >>= 1;
      high >>= 1;
    }
  }

  private void insert(int node, int rectangle) {
    int size = count[node]++;
    if (size == listed[node].length) {
      listed[node] = Arrays.copyOf(listed[node], 2 * size);
    }
    int[] list = listed[node];
    int at = position(list, size, rectangle);
    System.arraycopy(list, at, list, at + 1, size - at);
    list[at] = rectangle;
  }

  /** Strikes one that is listed. */
  void remove(int rectangle) {
    int low = firstLeaf[rectangle];
    int high = lastLeaf[rectangle];
    while (low >= ROOT) {
      for (int node = low; node <= high; node++) {
        int[] list = listed[node];
        int at = position(list, count[node], rectangle);
        int size = --count[node];
        System.arraycopy(list, at + 1, list, at, size - at);
      }
      low >>= 1;
      high >>= 1;
    }
  }

  private int position(int[] list, int size, int rectangle) {
    long wanted = offset[rectangle];
    int low = 0;
    int high = size;
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

  /** The lowest node that spans the rectangle. */
  int lowestNode(int rectangle) {
    int node = firstLeaf[rectangle];
    for (int other = lastLeaf[rectangle]; node != other; other >>= 1) {
      node >>= 1;
    }
    return node;
  }

  /** The rectangles listed at a node, by offset, of which only {@link #count} are valid; not to be changed. */
  int[] listed(int node) {
    return listed[node];
  }

  int count(int node) {
    return count[node];
  }
}
