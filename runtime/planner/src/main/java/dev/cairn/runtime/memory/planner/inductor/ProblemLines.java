package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.planner.inductor.size.SymbolicSize;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A problem as the lines of a program, so that one method serves both. Time is cut at the steps where a buffer begins
 * or ends; at each cut come the frees, then the allocations, both by index, then one kernel. So what ends at step s is
 * freed before what begins at s is allocated, and a step's own inputs and outputs never share (in place is the caller's
 * to express, as one buffer). Outputs are never freed; buffers that may not be reused are freed after the last kernel.
 */
final class ProblemLines {
  private ProblemLines() {}

  /**
   * The program; buffers keep their names. Bytes are reserved bytes, and the data type stands for reuse key, bytes and
   * alignment, so that only buffers alike in all three are handed over.
   */
  static MemoryProgram of(MemoryProblem problem) {
    List<Lifetime> held = problem.held();
    List<LineBuffer> buffers = problem.buffers().stream().map(ProblemLines::buffer).toList();
    int[] byFirst = sorted(held, Comparator.comparingInt(Lifetime::first));
    int[] byEnd = sorted(held, Comparator.comparingInt(Lifetime::end));
    int[] cuts = held.stream().flatMapToInt(lifetime -> IntStream.of(lifetime.first(), lifetime.end())).sorted()
      .distinct().toArray();
    List<MemoryLine> lines = new ArrayList<>();
    Set<String> outputs = new HashSet<>();
    int begun = 0;
    int ended = 0;
    for (int cut : cuts) {
      for (; ended < byEnd.length && held.get(byEnd[ended]).end() == cut; ended++) {
        if (problem.buffer(byEnd[ended]).output()) {
          outputs.add(problem.buffer(byEnd[ended]).name());
        } else {
          lines.add(new MemoryLine.Free(buffers.get(byEnd[ended])));
        }
      }
      for (; begun < byFirst.length && held.get(byFirst[begun]).first() == cut; begun++) {
        lines.add(new MemoryLine.Allocate(buffers.get(byFirst[begun])));
      }
      if (cut < cuts[cuts.length - 1]) {
        lines.add(new MemoryLine.Kernel("step " + cut));
      }
    }
    return new MemoryProgram(lines, outputs, Set.of());
  }

  /** A problem's buffer as lines name it. */
  static LineBuffer buffer(Buffer buffer) {
    return LineBuffer.of(buffer.name(), SymbolicSize.of(buffer.reservedBytes()))
      .onDevice(Integer.toString(buffer.device()))
      .withDtype(buffer.reuseKey() + " bytes=" + buffer.bytes() + " align=" + buffer.alignment())
      .withAlignment(buffer.alignment());
  }

  private static int[] sorted(List<Lifetime> held, Comparator<Lifetime> order) {
    return IntStream.range(0, held.size()).boxed().sorted(Comparator.comparing(held::get, order))
      .mapToInt(Integer::intValue).toArray();
  }
}
