package dev.cairn.runtime.memory.planner.inductor;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The input of Inductor's planners: lines in the order in which they run. Immutable; names are unique, subgraphs
 * balanced. Text form: one line a line.
 *
 * @param lines in order
 * @param outputs names of the buffers that the caller reads afterwards
 * @param removed names of the buffers that fusion has made needless; lines that name one are dropped
 */
public record MemoryProgram(List<MemoryLine> lines, Set<String> outputs, Set<String> removed) {
  public MemoryProgram {
    lines = List.copyOf(lines);
    outputs = Set.copyOf(outputs);
    removed = Set.copyOf(removed);
    Set<String> begun = new HashSet<>();
    int depth = 0;
    for (MemoryLine line : lines) {
      switch (line) {
        case MemoryLine.Allocate(LineBuffer buffer) -> begin(begun, buffer);
        case MemoryLine.Reuse(LineBuffer from, LineBuffer to) -> {
          if (removed.contains(from.name()) != removed.contains(to.name())) {
            throw new IllegalArgumentException("one of the two is removed: from=%s to=%s".formatted(from, to));
          }
          begin(begun, to);
        }
        case MemoryLine.EnterSubgraph _ -> depth++;
        case MemoryLine.ExitSubgraph(String name) -> {
          if (--depth < 0) {
            throw new IllegalArgumentException("exit of a subgraph that was not entered: subgraph=" + name);
          }
        }
        case MemoryLine.Free _,MemoryLine.Kernel _ -> {}
      }
    }
    if (depth != 0) {
      throw new IllegalArgumentException("subgraphs not exited: count=%d".formatted(depth));
    }
  }

  /** A program without removed buffers. */
  public static MemoryProgram of(List<MemoryLine> lines, String... outputs) {
    return new MemoryProgram(lines, new TreeSet<>(List.of(outputs)), Set.of());
  }

  private static void begin(Set<String> begun, LineBuffer buffer) {
    if (!begun.add(buffer.name())) {
      throw new IllegalArgumentException("allocated twice: buffer=" + buffer);
    }
  }

  boolean isOutput(LineBuffer buffer) {
    return outputs.contains(buffer.name());
  }

  boolean isRemoved(LineBuffer buffer) {
    return removed.contains(buffer.name());
  }

  /** Whether the line is one of a removed buffer. */
  boolean isRemoved(MemoryLine line) {
    return switch (line) {
      case MemoryLine.Allocate(LineBuffer buffer) -> isRemoved(buffer);
      case MemoryLine.Free(LineBuffer buffer) -> isRemoved(buffer);
      case MemoryLine.Reuse(LineBuffer from, LineBuffer _) -> isRemoved(from);
      case MemoryLine.Kernel _,MemoryLine.EnterSubgraph _,MemoryLine.ExitSubgraph _ -> false;
    };
  }

  @Override
  public String toString() {
    return lines.stream().map(MemoryLine::toString).collect(Collectors.joining("\n"));
  }
}
