package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A planner's task: place buffers so that no two share bytes at the same time. An index identifies a buffer. Names are
 * unique, all sums of bytes fit a {@code long}, and fixed offsets and groups do not contradict each other: every
 * problem has a plan. Text form: one line for each buffer, then one for each group.
 *
 * @param buffers in the order in which the run creates them; planners break ties in this order
 * @param groups buffers that must be adjacent; no buffer is in two groups
 * @param conflicts buffers that must not share bytes, besides buffers with overlapping lifetimes
 */
public record MemoryProblem(List<Buffer> buffers, List<ContiguousGroup> groups, Conflicts conflicts) {
  public MemoryProblem(List<Buffer> buffers, List<ContiguousGroup> groups, Conflicts conflicts) {
    this.buffers = List.copyOf(buffers);
    this.groups = List.copyOf(groups);
    this.conflicts = conflicts;
    ProblemRules.requireSane(this);
  }

  /** A problem without groups and extra conflicts. */
  public MemoryProblem(List<Buffer> buffers) {
    this(buffers, List.of(), Conflicts.NONE);
  }

  public static MemoryProblem of(Buffer... buffers) {
    return new MemoryProblem(List.of(buffers));
  }

  /** This problem with other conflicts. */
  public MemoryProblem with(Conflicts newConflicts) {
    return new MemoryProblem(buffers, groups, newConflicts);
  }

  public int size() {
    return buffers.size();
  }

  public Buffer buffer(int index) {
    return buffers.get(index);
  }

  /** The step after the last of all lifetimes; 0 without buffers. */
  public int steps() {
    return buffers.stream().mapToInt(buffer -> buffer.lifetime().end()).max().orElse(0);
  }

  /**
   * The steps at which each buffer owns its bytes, by index, not counting gaps: its lifetime, extended to the last step
   * for outputs and for buffers that are not reusable. Planners and validator use these steps.
   */
  public List<Lifetime> held() {
    int steps = steps();
    return buffers.stream()
      .map(buffer -> buffer.reusable() && !buffer.output()
        ? buffer.lifetime()
        : new Lifetime(buffer.lifetime().first(), steps))
      .toList();
  }

  /**
   * The steps in which each buffer is {@link #held}, without its gaps: by the buffer's index, in ascending order; empty
   * if gaps cover all of them.
   */
  public List<List<Lifetime>> active() {
    List<Lifetime> held = held();
    List<List<Lifetime>> active = new ArrayList<>(size());
    for (int i = 0; i < size(); i++) {
      List<Lifetime> gaps = buffer(i).gaps();
      active.add(gaps.isEmpty() ? List.of(held.get(i)) : cut(held.get(i), gaps));
    }
    return active;
  }

  /**
   * Whether two buffers must not share a byte: both have bytes on one device, and either both are active at some step,
   * or the pair is in {@link #conflicts()}. False for a buffer and itself. Allocates nothing.
   */
  public boolean conflicts(int first, int second) {
    Buffer a = buffer(first);
    Buffer b = buffer(second);
    if (first == second || a.bytes() == 0 || b.bytes() == 0 || a.device() != b.device()) {
      return false;
    }
    return meet(a, b) || conflicts.contains(first, second);
  }

  /** The units to place: each group, and each buffer without a group, ordered by their first buffers' indexes. */
  public List<PlacementUnit> units() {
    return PlacementUnit.of(this);
  }

  /** The bytes of a plan without sharing: the sum of all reserved bytes. */
  public long unsharedBytes() {
    return buffers.stream().mapToLong(Buffer::reservedBytes).sum();
  }

  @Override
  public String toString() {
    Stream<String> groupLines = groups.stream().map(group -> "together: "
      + group.buffers().stream().map(i -> buffer(i).name()).collect(Collectors.joining(" ")));
    return Stream.concat(buffers.stream().map(Buffer::toString), groupLines).collect(Collectors.joining("\n"));
  }

  private static boolean meet(Buffer a, Buffer b) {
    int step = Math.max(a.lifetime().first(), b.lifetime().first());
    int end = Math.min(a.heldEnd(), b.heldEnd());
    while (step < end) {
      int next = Math.max(a.constraints().gapEnd(step), b.constraints().gapEnd(step));
      if (next == step) {
        return true;
      }
      step = next;
    }
    return false;
  }

  private static List<Lifetime> cut(Lifetime held, List<Lifetime> gaps) {
    List<Lifetime> parts = new ArrayList<>();
    int first = held.first();
    for (Lifetime gap : gaps) {
      if (first < gap.first()) {
        parts.add(new Lifetime(first, gap.first()));
      }
      first = gap.end();
    }
    if (first < held.end()) {
      parts.add(new Lifetime(first, held.end()));
    }
    return List.copyOf(parts);
  }
}
