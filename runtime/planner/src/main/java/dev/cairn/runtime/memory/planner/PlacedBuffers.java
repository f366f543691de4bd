package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.OffsetAlignment;
import java.util.ArrayList;
import java.util.List;

/**
 * The buffers placed in one arena so far, in the order of their offsets.
 *
 * <pre>
 *   address                a buffer held in [2, 4) sees only A, B and D, and between them
 *     |  [   D   ]         two gaps: one from the top of B to D, and one from 0 to A.
 *     |        [ C ]
 *     |    [ B  ]
 *     |  [ A ]
 *     +--1-2-3-4-5-6--&gt; steps
 * </pre>
 *
 * Neighbours form leaves, in parallel arrays, and neighbouring leaves form groups, which a search scans from below.
 * It passes over a leaf or a group if none of its buffers is held in the steps asked for. It takes one as one block if
 * all of them are, and no gap lies between them. With the stacked lives of a training run, one or the other is true of
 * most. Not thread-safe.
 */
final class PlacedBuffers {
  private static final int LEAF = 128;
  private static final int GROUP = 64;

  private final List<Group> groups = new ArrayList<>(List.of(new Group(List.of(new Leaf()))));

  /** The offset at which a buffer that takes {@code bytes} can be added; nothing is added yet. */
  long find(Lifetime held, long bytes, long alignment, GapChoice choice) {
    var search = new Search(held, bytes, alignment, choice);
    for (Group group : groups) {
      if (search.isDoneAfter(group)) {
        break;
      }
    }
    return search.chosen >= 0 ? search.chosen : search.free;
  }

  /** Adds a buffer that takes {@code bytes}, more than 0, at this offset. */
  void add(Lifetime held, long offset, long bytes) {
    int at = indexOf(groups, offset);
    Group group = groups.get(at);
    group.add(held, offset, offset + bytes);
    if (group.leaves.size() == GROUP) {
      groups.add(at + 1, group.split());
    }
  }

  /** The first part with a buffer at this offset or above, or the last one. */
  private static int indexOf(List<? extends Part> parts, long offset) {
    int low = 0;
    int high = parts.size() - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (parts.get(middle).lastBottom < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** One search for a gap, from the bottom to the top. */
  private static final class Search {
    private final int from;
    private final int to;
    private final long bytes;
    private final long alignment;
    private final GapChoice choice;
    private long free; // lowest aligned address above all neighbours seen so far
    private long chosen = -1;
    private long chosenGap = Long.MAX_VALUE;

    Search(Lifetime held, long bytes, long alignment, GapChoice choice) {
      this.from = held.first();
      this.to = held.end();
      this.bytes = bytes;
      this.alignment = alignment;
      this.choice = choice;
    }

    /** Whether no later gap can be better. */
    boolean isDoneAfter(Group group) {
      if (isPassed(group)) {
        return false;
      }
      if (isBlock(group)) {
        return isDoneAfter(group.lowest, group.highest);
      }
      for (Leaf leaf : group.leaves) {
        if (isDoneAfter(leaf)) {
          return true;
        }
      }
      return false;
    }

    private boolean isDoneAfter(Leaf leaf) {
      if (isPassed(leaf)) {
        return false;
      }
      if (isBlock(leaf)) {
        return isDoneAfter(leaf.lowest, leaf.highest);
      }
      for (int i = 0; i < leaf.count; i++) {
        if (leaf.first[i] < to && from < leaf.end[i] && isDoneAfter(leaf.bottom[i], leaf.top[i])) {
          return true;
        }
      }
      return false;
    }

    private boolean isPassed(Part part) {
      return to <= part.earliestFirst || part.latestEnd <= from;
    }

    private boolean isBlock(Part part) {
      return part.solid && part.latestFirst < to && from < part.earliestEnd;
    }

    private boolean isDoneAfter(long bottom, long top) {
      long gap = bottom - free;
      if (gap >= bytes && gap < chosenGap) {
        chosen = free;
        chosenGap = gap;
        if (gap == bytes || choice == GapChoice.LOWEST) {
          return true;
        }
      }
      free = Math.max(free, OffsetAlignment.up(top, alignment));
      return false;
    }
  }

  /** The facts that hold for all of some neighbours. */
  private abstract static class Part {
    int earliestFirst = Integer.MAX_VALUE;
    int latestFirst = Integer.MIN_VALUE;
    int earliestEnd = Integer.MAX_VALUE;
    int latestEnd = Integer.MIN_VALUE;
    /** The bottom of the first buffer and of the last one, and the greatest top. */
    long lowest;
    long lastBottom;
    long highest;
    /** Whether no buffer begins above the highest top of those before it. */
    boolean solid = true;

    /** Begins a summary with the first neighbour's bottom and top. */
    final void summariseFrom(long bottom, long top) {
      earliestFirst = Integer.MAX_VALUE;
      latestFirst = Integer.MIN_VALUE;
      earliestEnd = Integer.MAX_VALUE;
      latestEnd = Integer.MIN_VALUE;
      lowest = bottom;
      highest = top;
      solid = true;
    }
  }

  /** Fewer than {@link #GROUP} leaves. */
  private static final class Group extends Part {
    private final List<Leaf> leaves;

    Group(List<Leaf> leaves) {
      this.leaves = new ArrayList<>(leaves);
      summarise();
    }

    void add(Lifetime held, long offset, long above) {
      int at = indexOf(leaves, offset);
      Leaf leaf = leaves.get(at);
      if (leaf.count == LEAF) {
        leaves.add(at + 1, leaf.split());
        leaf = leaf.lastBottom < offset ? leaves.get(at + 1) : leaf;
      }
      leaf.add(held, offset, above);
      summarise();
    }

    /** Moves the upper half into a new group. */
    Group split() {
      List<Leaf> upper = leaves.subList(leaves.size() / 2, leaves.size());
      var group = new Group(upper);
      upper.clear();
      summarise();
      return group;
    }

    private void summarise() {
      summariseFrom(leaves.getFirst().lowest, leaves.getFirst().highest);
      lastBottom = leaves.getLast().lastBottom;
      for (Leaf leaf : leaves) {
        earliestFirst = Math.min(earliestFirst, leaf.earliestFirst);
        latestFirst = Math.max(latestFirst, leaf.latestFirst);
        earliestEnd = Math.min(earliestEnd, leaf.earliestEnd);
        latestEnd = Math.max(latestEnd, leaf.latestEnd);
        solid &= leaf.solid && leaf.lowest <= highest;
        highest = Math.max(highest, leaf.highest);
      }
    }
  }

  /** Up to {@link #LEAF} neighbours. */
  private static final class Leaf extends Part {
    private final int[] first = new int[LEAF];
    private final int[] end = new int[LEAF];
    private final long[] bottom = new long[LEAF];
    private final long[] top = new long[LEAF];
    private int count;

    void add(Lifetime held, long offset, long above) {
      int at = firstAtOrAbove(offset);
      int moved = count - at;
      System.arraycopy(first, at, first, at + 1, moved);
      System.arraycopy(end, at, end, at + 1, moved);
      System.arraycopy(bottom, at, bottom, at + 1, moved);
      System.arraycopy(top, at, top, at + 1, moved);
      first[at] = held.first();
      end[at] = held.end();
      bottom[at] = offset;
      top[at] = above;
      count++;
      summarise();
    }

    private int firstAtOrAbove(long offset) {
      int low = 0;
      int high = count;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (bottom[middle] < offset) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    /** Moves the upper half into a new leaf. */
    Leaf split() {
      var upper = new Leaf();
      int half = count / 2;
      upper.count = count - half;
      System.arraycopy(first, half, upper.first, 0, upper.count);
      System.arraycopy(end, half, upper.end, 0, upper.count);
      System.arraycopy(bottom, half, upper.bottom, 0, upper.count);
      System.arraycopy(top, half, upper.top, 0, upper.count);
      count = half;
      summarise();
      upper.summarise();
      return upper;
    }

    private void summarise() {
      summariseFrom(bottom[0], top[0]);
      lastBottom = bottom[count - 1];
      for (int i = 0; i < count; i++) {
        earliestFirst = Math.min(earliestFirst, first[i]);
        latestFirst = Math.max(latestFirst, first[i]);
        earliestEnd = Math.min(earliestEnd, end[i]);
        latestEnd = Math.max(latestEnd, end[i]);
        solid &= bottom[i] <= highest;
        highest = Math.max(highest, top[i]);
      }
    }
  }
}
