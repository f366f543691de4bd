package dev.cairn.runtime.memory.recompute.search;

import java.util.Arrays;

/** The nodes that run more than once, to choose one of them. */
final class RecomputedSet {
  private final int[] nodes;
  /** For each node: 1 + where it stands; 0 when it isn't there. */
  private final int[] position;
  private int size;

  RecomputedSet(int count) {
    nodes = new int[count];
    position = new int[count];
  }

  void put(int node, boolean isThere) {
    if (isThere && position[node] == 0) {
      nodes[size++] = node;
      position[node] = size;
    } else if (!isThere && position[node] != 0) {
      int last = nodes[--size];
      nodes[position[node] - 1] = last;
      position[last] = position[node];
      position[node] = 0;
    }
  }

  void clear() {
    size = 0;
    Arrays.fill(position, 0);
  }

  int size() {
    return size;
  }

  int get(int i) {
    return nodes[i];
  }
}
