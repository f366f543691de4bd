package dev.cairn.runtime.memory.recompute.search;

import dev.cairn.runtime.memory.order.OrderProblem;
import java.util.Arrays;

/**
 * The versions of values in a {@link SlottedWord}: from which slot to which each lives. Writes the differences that a
 * change makes into the profile.
 */
final class WordValues {
  private final OrderProblem order;
  private final int[][] slotsOf;
  private final int[] runs;
  private final int[] lastSlot;
  private final long[] bytes;
  private final int[] producer;
  private final int[][] readers;
  private final boolean[] kept;
  private final boolean hasPairs;
  private HeldProfile profile;
  private int[] nodeAt = new int[0];
  /** Bytes taken off at each slot, for results that are written over operands. */
  private long[] saved = new long[0];
  /** First and last slots of the versions before a change, of all values that it may touch; and after it, of one. */
  private int[] old = new int[64];
  private int oldCount;
  private int[] now = new int[16];

  /** @param slotsOf the slots of each node's runs, ascending; shared and changed by the word */
  WordValues(OrderProblem order, int[][] slotsOf, int[] runs, int[] lastSlot) {
    this.order = order;
    this.slotsOf = slotsOf;
    this.runs = runs;
    this.lastSlot = lastSlot;
    bytes = new long[order.values()];
    producer = new int[order.values()];
    readers = new int[order.values()][];
    kept = new boolean[order.values()];
    for (int value = 0; value < bytes.length; value++) {
      bytes[value] = order.bytes(value);
      producer[value] = order.producer(value);
      readers[value] = order.readers(value);
      kept[value] = order.isKept(value);
    }
    boolean pairs = false;
    for (int node = 0; node < order.nodes(); node++) {
      pairs |= order.inPlace(node).length > 0;
    }
    hasPairs = pairs;
    profile = new HeldProfile(0, 0);
  }

  /** Fills a new profile. */
  void startOver(HeldProfile empty, int[] nodes) {
    profile = empty;
    nodeAt = nodes;
    saved = new long[nodes.length];
    for (int slot = 0; slot < nodes.length; slot++) {
      if (nodes[slot] != SlottedWord.FREE) {
        profile.occupy(slot);
        workspace(nodes[slot], slot, 1);
      }
    }
    for (int value = 0; value < bytes.length; value++) {
      int count = versions(value);
      for (int i = 0; i < count; i += 2) {
        profile.add(now[i], now[i + 1], bytes[value]);
      }
    }
    for (int slot = 0; hasPairs && slot < nodes.length; slot++) {
      overwrite(slot);
    }
  }

  private void workspace(int node, int slot, int sign) {
    if (order.workspace(node) > 0) {
      profile.add(slot, slot, sign * order.workspace(node));
    }
  }

  /** Remembers the versions that a change of a node's runs may touch. */
  void before(int node) {
    oldCount = 0;
    for (int value : order.made(node)) {
      remember(value);
    }
    for (int value : order.read(node)) {
      remember(value);
    }
  }

  private void remember(int value) {
    int count = versions(value);
    if (oldCount + count + 1 > old.length) {
      old = Arrays.copyOf(old, 2 * (oldCount + count + 1));
    }
    old[oldCount++] = count;
    System.arraycopy(now, 0, old, oldCount, count);
    oldCount += count;
  }

  /** Writes the differences, after the change. */
  void after(int node, int slot) {
    int at = 0;
    for (int value : order.made(node)) {
      at = difference(value, at);
    }
    for (int value : order.read(node)) {
      at = difference(value, at);
    }
    workspace(node, slot >= 0 ? slot : ~slot, slot >= 0 ? 1 : -1);
    if (hasPairs) {
      overwriteAll(node, slot >= 0 ? slot : ~slot);
    }
  }

  /** Adds to the profile how the versions of a value differ now from the versions that are remembered from here on. */
  private int difference(int value, int at) {
    int end = at + 1 + old[at];
    int count = versions(value);
    profile.spend(2 * count + readers[value].length);
    int i = at + 1;
    int j = 0;
    long size = bytes[value];
    while (i < end || j < count) {
      if (j == count || (i < end && old[i + 1] < now[j])) {
        profile.add(old[i], old[i + 1], -size);
        i += 2;
      } else if (i == end || now[j + 1] < old[i]) {
        profile.add(now[j], now[j + 1], size);
        j += 2;
      } else {
        if (old[i] < now[j]) {
          profile.add(old[i], now[j] - 1, -size);
        } else if (now[j] < old[i]) {
          profile.add(now[j], old[i] - 1, size);
        }
        int both = Math.min(old[i + 1], now[j + 1]);
        boolean oldEnds = old[i + 1] == both;
        boolean newEnds = now[j + 1] == both;
        old[i] = both + 1;
        now[j] = both + 1;
        i += oldEnds ? 2 : 0;
        j += newEnds ? 2 : 0;
      }
    }
    return end;
  }

  /** Writes the first and last slots of a value's versions; returns how many numbers. */
  private int versions(int value) {
    int node = producer[value];
    int count = runs[node];
    int[] at = slotsOf[node];
    if (2 * count > now.length) {
      now = new int[4 * count];
    }
    for (int k = 0; k < count; k++) {
      int next = k + 1 < count ? at[k + 1] : Integer.MAX_VALUE;
      now[2 * k] = at[k];
      now[2 * k + 1] = next == Integer.MAX_VALUE && kept[value] ? nodeAt.length - 1 : lastRead(value, at[k], next);
    }
    return 2 * count;
  }

  /** The last read of a value before the given slot; at least the slot of its run. */
  int lastRead(int value, int run, int next) {
    int last = run;
    for (int reader : readers[value]) {
      int slot = lastSlot[reader];
      last = Math.max(last, slot < next ? slot : lastBefore(reader, next));
    }
    return last;
  }

  private int lastBefore(int node, int slot) {
    int k = runBefore(node, slot);
    return k < 0 ? -1 : slotsOf[node][k];
  }

  /** The first read of a value after the given slot; {@link Integer#MAX_VALUE} when there is none. */
  int nextRead(int value, int slot) {
    int next = Integer.MAX_VALUE;
    for (int reader : readers[value]) {
      int[] at = slotsOf[reader];
      for (int k = 0; k < runs[reader] && at[k] < next; k++) {
        next = at[k] > slot ? at[k] : next;
      }
    }
    return next;
  }

  /** The number of the latest run of a node before a slot; -1 when there is none. */
  int runBefore(int node, int slot) {
    int k = runs[node] - 1;
    while (k >= 0 && slotsOf[node][k] >= slot) {
      k--;
    }
    return k;
  }

  /** The last slot at which the version lives that a read at the given slot would take; -1 without one. */
  int lives(int value, int slot) {
    int node = producer[value];
    int k = runBefore(node, slot);
    if (k < 0) {
      return -1;
    }
    boolean isLast = k + 1 == runs[node];
    return isLast && kept[value]
      ? nodeAt.length - 1
      : lastRead(value, slotsOf[node][k], isLast ? Integer.MAX_VALUE : slotsOf[node][k + 1]);
  }

  /** Whether no step reads the results of this run, so that it can be removed. */
  boolean isUnread(int node, int k) {
    boolean isLast = k + 1 == runs[node];
    int run = slotsOf[node][k];
    int next = isLast ? Integer.MAX_VALUE : slotsOf[node][k + 1];
    for (int value : order.made(node)) {
      if ((isLast && kept[value]) || lastRead(value, run, next) > run) {
        return false;
      }
    }
    return true;
  }

  private void overwriteAll(int node, int slot) {
    overwrite(slot);
    for (int value : order.read(node)) {
      overwriteReaders(value);
    }
    for (int value : order.made(node)) {
      overwriteReaders(value);
    }
  }

  private void overwriteReaders(int value) {
    for (int reader : readers[value]) {
      for (int k = 0; order.inPlace(reader).length > 0 && k < runs[reader]; k++) {
        overwrite(slotsOf[reader][k]);
      }
    }
  }

  /** Brings the bytes that a step saves by writing over its operands up to date. */
  private void overwrite(int slot) {
    long bytesSaved = nodeAt[slot] == SlottedWord.FREE ? 0 : savedAt(nodeAt[slot], slot);
    if (bytesSaved != saved[slot]) {
      profile.add(slot, slot, saved[slot] - bytesSaved);
      saved[slot] = bytesSaved;
    }
  }

  private long savedAt(int node, int slot) {
    int[] pairs = order.inPlace(node);
    long sum = 0;
    for (int i = 0; i < pairs.length; i += 2) {
      boolean isFree = lives(pairs[i], slot) == slot;
      for (int j = 0; isFree && j < i; j += 2) {
        isFree = (pairs[j] != pairs[i] && pairs[j + 1] != pairs[i + 1]) || lives(pairs[j], slot) != slot;
      }
      sum += isFree ? bytes[pairs[i]] : 0;
    }
    return sum;
  }
}
