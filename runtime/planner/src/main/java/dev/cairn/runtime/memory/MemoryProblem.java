package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a planner is asked: buffers, each to be given bytes that no other buffer takes at the same time. Buffers are
 * known by their index. Names are unique, all sums of bytes over the problem fit a {@code long}, and fixed offsets and
 * groups don't contradict one another: every problem has a plan. Text form: one line a buffer, then one a group.
 *
 * @param buffers in the order in which the run makes them; ties go to the earlier
 * @param groups which buffers lie one directly after the other; no buffer in two of them
 * @param conflicts who must not share bytes, beyond those whose times meet
 */
public record MemoryProblem(List<Buffer> buffers, List<ContiguousGroup> groups, Conflicts conflicts) {
  public MemoryProblem(List<Buffer> buffers, List<ContiguousGroup> groups, Conflicts conflicts) {
    this.buffers = List.copyOf(buffers);
    this.groups = List.copyOf(groups);
    this.conflicts = conflicts;
    ProblemRules.requireSane(this);
  }

  /** Without groups and extra conflicts. */
  public MemoryProblem(List<Buffer> buffers) {
    this(buffers, List.of(), Conflicts.NONE);
  }

  public static MemoryProblem of(Buffer... buffers) {
    return new MemoryProblem(List.of(buffers));
  }

  /** The same with other conflicts. */
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
   * By buffer index, the steps at which its bytes must be its own, but for its gaps: its lifetime, lengthened to the
   * last step for outputs and for buffers that may not be reused. This is what planners place and the validator judges.
   */
  public List<Lifetime> held() {
    int steps = steps();
    return buffers.stream()
      .map(buffer -> buffer.reusable() && !buffer.output()
        ? buffer.lifetime()
        : new Lifetime(buffer.lifetime().first(), steps))
      .toList();
  }

  /** By buffer index, its held steps cut at its gaps: ascending, none when gaps cover all of them. */
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
   * Whether the two must not share a byte: both have bytes on one device, and there is a step at which both are held
   * and neither has a gap, or the pair is in {@link #conflicts()}. Never true of a buffer and itself. Allocates
   * nothing.
   */
  public boolean conflicts(int first, int second) {
    Buffer a = buffer(first);
    Buffer b = buffer(second);
    if (first == second || a.bytes() == 0 || b.bytes() == 0 || a.device() != b.device()) {
      return false;
    }
    return meet(a, b) || conflicts.contains(first, second);
  }

  /** What is placed as one: each group, and each buffer that is in none. By the first buffers' indexes. */
  public List<PlacementUnit> units() {
    return PlacementUnit.of(this);
  }

  /** What the run would take without any sharing: the sum of all reserved bytes. */
  public long naiveBytes() {
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
