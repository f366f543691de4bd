package dev.cairn.runtime.memory.planner;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Conflicts;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlacementUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The buffers placed so far in a problem with groups, gaps, conflicts, fixed offsets or devices, in the order of their
 * offsets. The counterpart of {@link PlacedBuffers} for plain problems: O(n) a search for a buffer, O(m·n log n) for a
 * group of m. Not for several threads.
 */
final class PlacedUnits {
  private final MemoryProblem problem;
  private final List<Lifetime> held;
  /**
   * Whether two buffers are in each other's way by their steps alone, but for extra conflicts: no gaps and one device.
   */
  private final boolean stepsDecide;
  private final long[] offsets;
  // The placed units, in the order of offsets. They have arrays of their own, since they are read far more often than
  // anything else.
  private final int[] byOffset;
  private final int[] first;
  private final int[] end;
  private final long[] bottom;
  private final long[] top;
  private int count;

  /** Bases that a unit cannot have: those in {@code (after, before)}. Both ascend with the lower end. */
  private record Ban(long after, long before) {}

  PlacedUnits(MemoryProblem problem) {
    this.problem = problem;
    this.held = problem.held();
    this.stepsDecide = problem.buffers().stream().allMatch(buffer -> buffer.gaps().isEmpty())
      && problem.buffers().stream().mapToInt(Buffer::device).distinct().count() <= 1;
    this.offsets = new long[problem.size()];
    this.byOffset = new int[problem.size()];
    this.first = new int[problem.size()];
    this.end = new int[problem.size()];
    this.bottom = new long[problem.size()];
    this.top = new long[problem.size()];
  }

  /** For each buffer index. */
  long[] offsets() {
    return offsets.clone();
  }

  /** The base at which the unit can be added; nothing is added yet. */
  long find(PlacementUnit unit, GapChoice choice) {
    long free = unit.lowestBase(0); // lowest aligned base above all banned ranges so far
    long chosen = -1;
    long chosenRoom = Long.MAX_VALUE;
    for (Ban ban : bans(unit)) {
      long room = ban.after - free;
      if (room >= 0 && room < chosenRoom) {
        chosen = free;
        chosenRoom = room;
        if (room == 0 || choice == GapChoice.LOWEST) {
          return chosen; // no later gap can be better
        }
      }
      free = Math.max(free, unit.lowestBase(ban.before));
    }
    return chosen >= 0 ? chosen : free;
  }

  /** Adds a unit's buffers at this base. */
  void add(PlacementUnit unit, long base) {
    unit.place(base, offsets);
    for (int member = 0; member < unit.size(); member++) {
      int buffer = unit.buffer(member);
      if (problem.buffer(buffer).bytes() > 0) {
        insert(buffer);
      }
    }
  }

  /** By where they begin. */
  private List<Ban> bans(PlacementUnit unit) {
    List<Ban> bans = new ArrayList<>();
    for (int member = 0; member < unit.size(); member++) {
      int buffer = unit.buffer(member);
      long bytes = problem.buffer(buffer).reservedBytes();
      if (bytes > 0) {
        addBans(bans, buffer, unit.start(member), bytes);
      }
    }
    if (unit.size() > 1) {
      bans.sort(Comparator.comparingLong(Ban::after));
    }
    return bans;
  }

  private void addBans(List<Ban> bans, int buffer, long start, long bytes) {
    Conflicts conflicts = problem.conflicts();
    int from = held.get(buffer).first();
    int to = held.get(buffer).end();
    for (int i = 0; i < count; i++) {
      boolean meet = first[i] < to && from < end[i];
      boolean inTheWay = stepsDecide
        ? meet || conflicts.contains(buffer, byOffset[i])
        : (meet || conflicts.contains(buffer, byOffset[i])) && problem.conflicts(buffer, byOffset[i]);
      if (inTheWay) {
        bans.add(new Ban(bottom[i] - start - bytes, top[i] - start));
      }
    }
  }

  private void insert(int buffer) {
    int at = 0;
    int high = count;
    while (at < high) {
      int middle = (at + high) >>> 1;
      if (bottom[middle] < offsets[buffer]) {
        at = middle + 1;
      } else {
        high = middle;
      }
    }
    for (Object column : List.of(byOffset, first, end, bottom, top)) {
      System.arraycopy(column, at, column, at + 1, count - at);
    }
    byOffset[at] = buffer;
    first[at] = held.get(buffer).first();
    end[at] = held.get(buffer).end();
    bottom[at] = offsets[buffer];
    top[at] = offsets[buffer] + problem.buffer(buffer).reservedBytes();
    count++;
  }
}
