package dev.cairn.runtime.memory.planner.inductor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Inductor's {@code memory_plan_reuse}: one pass over the lines in which an allocation takes over the buffer that was
 * freed last among those of its key. Trailing memory lines whose buffer is no output go first. Each subgraph has freed
 * buffers of its own.
 *
 * <pre>
 *   allocate a            allocate a
 *   k0                    k0
 *   free a          -&gt;    reuse a as b      (b has a's device, data type and size)
 *   allocate b
 *   k1                    k1
 * </pre>
 */
public final class LineReuse {
  private final MemoryProgram program;
  private final ReuseRules rules;
  private final Takeovers takeovers;
  private final LivePeaks peaks;
  /** For each line: the line itself, or what takes its place. */
  private final List<MemoryLine> planned;
  /** Lines that go. */
  private final BitSet dropped = new BitSet();
  /** Innermost subgraph first: freed and not taken yet, by key, the last freed on top. */
  private final Deque<Map<ReuseKey, Deque<Freed>>> states = new ArrayDeque<>();
  /** Kernels before the current line. */
  private int kernels;

  private LineReuse(MemoryProgram program, ReuseRules rules, Takeovers takeovers) {
    this.program = program;
    this.rules = rules;
    this.takeovers = takeovers;
    planned = new ArrayList<>(program.lines());
    peaks = rules == ReuseRules.PEAK_TESTED ? LivePeaks.of(program) : LivePeaks.UNLIMITED;
  }

  /** The lines that remain: takeovers in place of frees and allocations, and no line of a removed buffer. */
  public static List<MemoryLine> plan(MemoryProgram program, ReuseRules rules) {
    return plan(program, rules, Takeovers.ALL);
  }

  /** The same, where {@code takeovers} may forbid that one buffer takes over another's bytes. */
  static List<MemoryLine> plan(MemoryProgram program, ReuseRules rules, Takeovers takeovers) {
    LineReuse reuse = new LineReuse(program, rules, takeovers);
    reuse.popTrailing();
    reuse.states.push(new HashMap<>());
    for (int i = 0; i < reuse.planned.size(); i++) {
      reuse.plan(i);
    }
    List<MemoryLine> lines = new ArrayList<>();
    for (int i = 0; i < reuse.planned.size(); i++) {
      if (!reuse.dropped.get(i)) {
        lines.add(reuse.planned.get(i));
      }
    }
    return List.copyOf(lines);
  }

  private void popTrailing() {
    while (!planned.isEmpty() && isTrailing(planned.getLast())) {
      planned.removeLast();
    }
  }

  private boolean isTrailing(MemoryLine line) {
    return switch (line) {
      case MemoryLine.Allocate(LineBuffer buffer) -> !program.isOutput(buffer);
      case MemoryLine.Free(LineBuffer buffer) -> !program.isOutput(buffer);
      case MemoryLine.Reuse(LineBuffer from, LineBuffer _) -> !program.isOutput(from);
      case MemoryLine.Kernel _,MemoryLine.EnterSubgraph _,MemoryLine.ExitSubgraph _ -> false;
    };
  }

  private void plan(int index) {
    switch (planned.get(index)) {
      case MemoryLine.Allocate(LineBuffer buffer) -> allocate(index, buffer);
      case MemoryLine.Free(LineBuffer buffer) -> free(index, buffer);
      case MemoryLine.Reuse(LineBuffer from, LineBuffer _) -> dropped.set(index, program.isRemoved(from));
      case MemoryLine.Kernel _ -> kernels++;
      case MemoryLine.EnterSubgraph _ -> states.push(new HashMap<>());
      case MemoryLine.ExitSubgraph _ -> states.pop();
    }
  }

  private void allocate(int index, LineBuffer buffer) {
    if (program.isRemoved(buffer)) {
      dropped.set(index);
      return;
    }
    Deque<Freed> stack = stack(buffer);
    Optional<Freed> last = stack.stream().filter(freed -> takeovers.allows(freed.buffer, buffer)).findFirst()
      .filter(freed -> peaks.takeOver(freed.kernels, kernels, LivePeaks.hintBytes(buffer)));
    last.ifPresent(freed -> {
      stack.remove(freed);
      takeovers.taken(freed.buffer, buffer);
      dropped.set(freed.line);
      planned.set(index, new MemoryLine.Reuse(freed.buffer, buffer));
    });
  }

  private void free(int index, LineBuffer buffer) {
    if (program.isRemoved(buffer)) {
      dropped.set(index);
    } else if (buffer.layout() == LineBuffer.Layout.OWN) {
      stack(buffer).push(new Freed(buffer, index, kernels));
    }
  }

  private Deque<Freed> stack(LineBuffer buffer) {
    return states.element().computeIfAbsent(ReuseKey.of(buffer, rules == ReuseRules.PEAK_TESTED),
      key -> new ArrayDeque<>());
  }

  /**
   * A buffer that can be taken over.
   *
   * @param line where it was freed
   * @param kernels kernels before that line
   */
  private record Freed(LineBuffer buffer, int line, int kernels) {}
}
