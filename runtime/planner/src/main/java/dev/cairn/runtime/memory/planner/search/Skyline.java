package dev.cairn.runtime.memory.planner.search;

/**
 * A plan half made, built from the bottom up: what is placed is never gone under again.
 *
 * <pre>
 *   offset |      .........          An item that waits can lie no lower than the tops of the placed ones it meets:
 *          |      :  c    :          c not lower than b. The floor of a section is the lowest of its waiting items;
 *          |   ___:.......:          a section whose floor and waiting bytes exceed the capacity ends the attempt.
 *          |  |  b  |  ____          The bytes left of b are lost if c comes next, and count as taken then.
 *          |__|_____|_| a  |__
 *          +-------------------&gt; sections
 * </pre>
 *
 * Every change is undone through {@link #trail}. Not for several threads.
 */
final class Skyline {
  /** The lowest offset of an item that is placed. */
  static final long PLACED = Long.MAX_VALUE;

  final Part part;
  final Trail trail = new Trail();
  /** For each item: it can't lie lower, or {@link #PLACED}. */
  final long[] lowest;
  /** For each item: the lowest offset at which the placed ones carry it. An item lies there, or on one that waits. */
  final long[] carried;
  /** For each item, if placed. */
  final long[] offset;
  /** For each section: the lowest offset of its waiting items; {@link #PLACED} if there are none. */
  final long[] floor;
  /** For each section: bytes of its waiting items. */
  final long[] waitingBytes;
  /** For each section: number of its waiting items. */
  final long[] waiting;
  /** For each section: number of waiting items that could be placed at the floor. */
  final long[] ready;
  /** For each section: number of waiting items that are held in it or before, and after it. */
  final long[] crossing;
  /** For each section: how many changes it has made impossible, in all attempts. */
  final long[] failures;
  /** Entries of lists looked at since the last {@link #takeSteps}: what time goes with, and the same in every run. */
  long steps;

  private final boolean stackBound;
  private final int[][] members;
  private final int[] changed;
  private final boolean[] isChanged;
  private int changedCount;
  private long capacity;

  Skyline(Part part, SearchRules rules) {
    this.part = part;
    int items = part.size();
    int sections = part.members.length;
    stackBound = rules.stackBound();
    lowest = new long[items];
    carried = new long[items];
    offset = new long[items];
    floor = new long[sections];
    waitingBytes = new long[sections];
    waiting = new long[sections];
    ready = new long[sections];
    crossing = new long[sections];
    failures = new long[sections];
    members = new int[sections][];
    changed = new int[sections];
    isChanged = new boolean[sections];
    for (int section = 0; section < sections; section++) {
      members[section] = part.members[section].clone();
      waitingBytes[section] = part.bytesOf(section);
      waiting[section] = members[section].length;
    }
    for (int item = 0; item < items; item++) {
      lowest[item] = Math.max(0, part.fixed[item]);
      carried[item] = lowest[item];
      for (int section = part.firstSection(item); section < part.lastSection(item); section++) {
        crossing[section]++;
      }
    }
  }

  /**
   * A skyline without placed items: sets the height that no item may exceed. Whether that is not plainly impossible.
   */
  boolean begin(long newCapacity) {
    capacity = newCapacity;
    boolean possible = true;
    for (int item = 0; item < part.size(); item++) {
      possible &= lowest[item] + part.bytes[item] <= capacity;
    }
    for (int section = 0; section < members.length; section++) {
      change(section);
    }
    return settle(possible);
  }

  /** Empties the counter. */
  long takeSteps() {
    long taken = steps;
    steps = 0;
    return taken;
  }

  boolean isPlaced(int item) {
    return lowest[item] == PLACED;
  }

  /** Whether it can be placed at its lowest offset: something carries it there, or it is fixed there. */
  boolean isCarried(int item) {
    return lowest[item] == carried[item];
  }

  /** Bytes that may still be lost in a section. */
  long slack(int section) {
    return capacity - floor[section] - waitingBytes[section];
  }

  /** Whether the section has room for nothing at its floor. */
  boolean mayLeave(int section) {
    return slack(section) >= part.step;
  }

  /** The section's items, those placed among them, in no order. */
  int[] members(int section) {
    return members[section];
  }

  /** Whether no waiting item would have to move up if this one were placed. */
  boolean isHarmless(int item) {
    long top = lowest[item] + part.bytes[item];
    for (int other : part.neighbours[item]) {
      if (lowest[other] < top) {
        return false;
      }
    }
    return true;
  }

  /** Places an item at its lowest offset. If false, no plan follows from it; the caller undoes in either case. */
  boolean place(int item) {
    long top = lowest[item] + part.bytes[item];
    offset[item] = lowest[item];
    trail.set(lowest, item, PLACED);
    for (int section : part.sections[item]) {
      trail.set(waitingBytes, section, waitingBytes[section] - part.bytes[item]);
      trail.set(waiting, section, waiting[section] - 1);
      change(section);
    }
    for (int section = part.firstSection(item); section < part.lastSection(item); section++) {
      trail.set(crossing, section, crossing[section] - 1);
    }
    boolean possible = true;
    int[] neighbours = part.neighbours[item];
    steps += neighbours.length;
    for (int i = 0; i < neighbours.length && possible; i++) {
      int other = neighbours[i];
      if (carried[other] < top && !isPlaced(other)) {
        long above = aligned(top, other);
        trail.set(carried, other, above);
        possible = raise(other, above);
      }
    }
    return settle(possible);
  }

  /**
   * Nothing begins at the floor of a section, all of whose items at the floor are in its way nowhere below: each lies
   * on one that waits. Like {@link #place}.
   */
  boolean leave(int section) {
    long bottom = floor[section];
    boolean possible = true;
    for (int item : members[section]) {
      if (lowest[item] == bottom) {
        possible &= raise(item, lowestOnWaiting(item));
      }
    }
    return settle(possible);
  }

  private long lowestOnWaiting(int item) {
    int[] neighbours = part.neighbours[item];
    steps += neighbours.length;
    long top = PLACED;
    for (int other : neighbours) {
      if (lowest[other] < top) {
        top = Math.min(top, lowest[other] + part.bytes[other]);
      }
    }
    return top == PLACED ? PLACED : aligned(top, item);
  }

  private boolean raise(int item, long to) {
    if (to <= lowest[item]) {
      return true;
    }
    long latest = part.fixed[item] < 0 ? capacity - part.bytes[item] : part.fixed[item];
    if (to > latest) {
      return false;
    }
    trail.set(lowest, item, to);
    for (int section : part.sections[item]) {
      change(section);
    }
    return true;
  }

  private void change(int section) {
    if (!isChanged[section]) {
      isChanged[section] = true;
      changed[changedCount++] = section;
    }
  }

  /** Brings the changed sections up to date, unless all is lost; whether all still fit. */
  private boolean settle(boolean possibleSoFar) {
    boolean possible = possibleSoFar;
    for (int i = 0; i < changedCount; i++) {
      isChanged[changed[i]] = false;
      if (possible && !settle(changed[i])) {
        possible = false;
        failures[changed[i]]++;
      }
    }
    changedCount = 0;
    return possible;
  }

  private boolean settle(int section) {
    int[] items = members[section];
    steps += items.length;
    long bottom = PLACED;
    long highest = 0;
    int atBottom = 0;
    for (int item : items) {
      long low = lowest[item];
      if (low < bottom) {
        bottom = low;
        atBottom = 0;
      }
      if (low != PLACED) {
        highest = Math.max(highest, low);
        atBottom += low == bottom && low == carried[item] ? 1 : 0;
      }
    }
    if (bottom != floor[section]) {
      trail.set(floor, section, bottom);
    }
    if (atBottom != ready[section]) {
      trail.set(ready, section, atBottom);
    }
    if (waiting[section] == 0 || highest + waitingBytes[section] <= capacity) {
      return true;
    }
    return bottom + waitingBytes[section] <= capacity && (!stackBound || fitsStacked(items));
  }

  /** Whether, from each offset up, there is room for all items that cannot begin below it. */
  private boolean fitsStacked(int[] items) {
    sort(items);
    steps += items.length;
    long above = 0;
    for (int i = items.length - 1; i >= 0; i--) {
      int item = items[i];
      if (lowest[item] != PLACED) {
        above += part.bytes[item];
        if (lowest[item] + above > capacity) {
          return false;
        }
      }
    }
    return true;
  }

  /** By lowest offset. Each time little has changed since the last, so that insertion is fast. */
  private void sort(int[] items) {
    for (int i = 1; i < items.length; i++) {
      int item = items[i];
      long low = lowest[item];
      int at = i;
      while (at > 0 && lowest[items[at - 1]] > low) {
        items[at] = items[at - 1];
        at--;
      }
      items[at] = item;
    }
  }

  private long aligned(long address, int item) {
    long alignment = part.alignment[item];
    return address + alignment - 1 & -alignment;
  }
}
