package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A unit that a planner places as a whole: a single buffer or a contiguous group. Its base is the offset of its first
 * buffer. {@link #lowestBase} returns only bases that suit the alignments of all its buffers. Immutable.
 */
public final class PlacementUnit {
  private final int[] buffers;
  private final long[] starts;
  private final long bytes;
  private final long alignment;
  private final long remainder;
  private final OptionalLong fixedBase;
  private final int device;

  private PlacementUnit(MemoryProblem problem, List<Integer> members) {
    buffers = members.stream().mapToInt(Integer::intValue).toArray();
    starts = new long[buffers.length];
    device = problem.buffer(buffers[0]).device();
    long top = 0;
    long widest = 1;
    long base = 0; // modulo the widest alignment so far
    OptionalLong fixed = OptionalLong.empty();
    for (int i = 0; i < buffers.length; i++) {
      Buffer buffer = problem.buffer(buffers[i]);
      starts[i] = top;
      long wanted = -top & (buffer.alignment() - 1);
      long narrower = Math.min(widest, buffer.alignment()) - 1;
      require(problem, buffer.device() == device && (wanted & narrower) == (base & narrower), "alignments or devices");
      base = buffer.alignment() > widest ? wanted : base;
      widest = Math.max(widest, buffer.alignment());
      if (buffer.fixedOffset().isPresent()) {
        long implied = buffer.fixedOffset().getAsLong() - top;
        require(problem, implied >= 0 && (fixed.isEmpty() || fixed.getAsLong() == implied), "fixed offsets");
        fixed = OptionalLong.of(implied);
      }
      top += buffer.reservedBytes();
    }
    bytes = top;
    alignment = widest;
    remainder = base;
    fixedBase = fixed;
    require(problem, fixed.isEmpty() || lowestBase(fixed.getAsLong()) == fixed.getAsLong(),
      "fixed offsets and alignments");
  }

  /** All units of a problem, by their first buffers' indexes. */
  static List<PlacementUnit> of(MemoryProblem problem) {
    Map<Integer, List<Integer>> groupOf = new HashMap<>();
    for (ContiguousGroup group : problem.groups()) {
      group.buffers().forEach(buffer -> groupOf.put(buffer, group.buffers()));
    }
    List<PlacementUnit> units = new ArrayList<>();
    for (int i = 0; i < problem.size(); i++) {
      List<Integer> members = groupOf.getOrDefault(i, List.of(i));
      if (members.getFirst() == i) {
        units.add(new PlacementUnit(problem, members));
      }
    }
    return units;
  }

  /** The buffers' indexes, in the order of their offsets. */
  public int[] buffers() {
    return buffers.clone();
  }

  public int size() {
    return buffers.length;
  }

  public int buffer(int member) {
    return buffers[member];
  }

  /** The member's offset from the base. */
  public long start(int member) {
    return starts[member];
  }

  /** Reserved bytes of all its buffers together. */
  public long bytes() {
    return bytes;
  }

  public int device() {
    return device;
  }

  /** The base, if the caller fixes it. */
  public OptionalLong fixedBase() {
    return fixedBase;
  }

  /** The lowest base, at this address or above, that is aligned for all its buffers. */
  public long lowestBase(long address) {
    return address + (remainder - address & alignment - 1);
  }

  /** Writes the offsets of its buffers for a base into an array indexed by buffer. */
  public void place(long base, long[] offsets) {
    for (int i = 0; i < buffers.length; i++) {
      offsets[buffers[i]] = base + starts[i];
    }
  }

  private void require(MemoryProblem problem, boolean holds, String what) {
    if (!holds) {
      throw new IllegalArgumentException("%s contradict one another: buffers=%s".formatted(what,
        Arrays.stream(buffers).mapToObj(problem::buffer).toList()));
    }
  }
}
