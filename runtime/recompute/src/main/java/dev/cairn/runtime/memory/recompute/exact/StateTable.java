package dev.cairn.runtime.memory.recompute.exact;

import java.util.Arrays;

/** The states that a search has reached, with the least cost of each, and a heap of those to go on from. */
final class StateTable {
  private final int most;
  private int count;
  private boolean isFull;
  private long[] keys = new long[1024];
  private long[] distances = new long[1024];
  private int[] parents = new int[1024];
  private int[] moves = new int[1024];
  private boolean[] settled = new boolean[1024];
  /** Open addressing: 1 + the number of a state; 0 for an empty cell. */
  private int[] cells = new int[4096];
  private long[] heapCosts = new long[1024];
  private int[] heapStates = new int[1024];
  private int heapSize;

  StateTable(int most) {
    this.most = most;
  }

  /** How many states there may be. */
  int most() {
    return most;
  }

  long key(int state) {
    return keys[state];
  }

  long distance(int state) {
    return distances[state];
  }

  int parent(int state) {
    return parents[state];
  }

  int move(int state) {
    return moves[state];
  }

  /** Whether there were more states than allowed. */
  boolean isFull() {
    return isFull;
  }

  /** A way to a state; it counts when it is cheaper than those before. */
  void reach(long key, long distance, int parent, int move) {
    int cell = cellOf(key);
    int state = cells[cell] - 1;
    if (state < 0) {
      if (count == most) {
        isFull = true;
        return;
      }
      state = add(key);
      cells[cell] = state + 1;
    } else if (distances[state] <= distance) {
      return;
    }
    distances[state] = distance;
    parents[state] = parent;
    moves[state] = move;
    push(distance, state);
    if (2 * count > cells.length) {
      rehash();
    }
  }

  private int add(long key) {
    if (count == keys.length) {
      keys = Arrays.copyOf(keys, 2 * count);
      distances = Arrays.copyOf(distances, 2 * count);
      parents = Arrays.copyOf(parents, 2 * count);
      moves = Arrays.copyOf(moves, 2 * count);
      settled = Arrays.copyOf(settled, 2 * count);
    }
    keys[count] = key;
    return count++;
  }

  private int cellOf(long key) {
    long hash = key * 0x9E3779B97F4A7C15L;
    int cell = (int) (hash >>> 32) & cells.length - 1;
    while (cells[cell] != 0 && keys[cells[cell] - 1] != key) {
      cell = cell + 1 & cells.length - 1;
    }
    return cell;
  }

  private void rehash() {
    cells = new int[2 * cells.length];
    for (int state = 0; state < count; state++) {
      cells[cellOf(keys[state])] = state + 1;
    }
  }

  /** The cheapest state that was not taken before; -1 when there is none. */
  int next() {
    while (heapSize > 0) {
      int state = pop();
      if (!settled[state]) {
        settled[state] = true;
        return state;
      }
    }
    return -1;
  }

  private void push(long cost, int state) {
    if (heapSize == heapCosts.length) {
      heapCosts = Arrays.copyOf(heapCosts, 2 * heapSize);
      heapStates = Arrays.copyOf(heapStates, 2 * heapSize);
    }
    int at = heapSize++;
    while (at > 0 && heapCosts[(at - 1) >> 1] > cost) {
      put(at, heapCosts[(at - 1) >> 1], heapStates[(at - 1) >> 1]);
      at = (at - 1) >> 1;
    }
    put(at, cost, state);
  }

  private int pop() {
    int top = heapStates[0];
    long cost = heapCosts[--heapSize];
    int state = heapStates[heapSize];
    int at = 0;
    while (2 * at + 1 < heapSize) {
      int child = 2 * at + 1;
      child += child + 1 < heapSize && heapCosts[child + 1] < heapCosts[child] ? 1 : 0;
      if (heapCosts[child] >= cost) {
        break;
      }
      put(at, heapCosts[child], heapStates[child]);
      at = child;
    }
    put(at, cost, state);
    return top;
  }

  private void put(int at, long cost, int state) {
    heapCosts[at] = cost;
    heapStates[at] = state;
  }
}
