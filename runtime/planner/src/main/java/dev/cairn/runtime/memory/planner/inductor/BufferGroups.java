package dev.cairn.runtime.memory.planner.inductor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The groups of a program, and when they are live. Time counts runs of memory lines: each run is one step, the first is
 * 1, and what is freed in a run and what is allocated in it may share. Outputs are live to the step after the last.
 */
final class BufferGroups {
  private final MemoryProgram program;
  /** By the name of a buffer that is not removed. */
  private final Map<String, BufferGroup> byName = new LinkedHashMap<>();
  /** In the order of their allocations. */
  private final List<BufferGroup> all = new ArrayList<>();
  /** For each line; 0 for groups that are not memory lines. */
  private final int[] steps;

  BufferGroups(MemoryProgram program) {
    this.program = program;
    steps = new int[program.lines().size()];
    program.lines().forEach(this::name);
    int step = countSteps();
    for (BufferGroup group : all) {
      if (group.output) {
        group.usedAt(step + 1);
      }
    }
  }

  private void name(MemoryLine line) {
    switch (line) {
      case MemoryLine.Allocate(LineBuffer buffer) when !program.isRemoved(buffer) -> {
        BufferGroup group = new BufferGroup(all.size(), buffer);
        all.add(group);
        join(group, buffer);
      }
      case MemoryLine.Reuse(LineBuffer from, LineBuffer to) when !program.isRemoved(from) -> {
        // There is no group if no line allocated the first buffer: it is then an operator's own result.
        BufferGroup group = byName.get(from.name());
        if (group != null) {
          join(group, to);
        }
      }
      default -> {}
    }
  }

  private void join(BufferGroup group, LineBuffer buffer) {
    byName.put(buffer.name(), group);
    group.output |= program.isOutput(buffer);
  }

  private int countSteps() {
    int step = 0;
    boolean inRun = false;
    for (int i = 0; i < steps.length; i++) {
      MemoryLine line = program.lines().get(i);
      if (line.isMemory()) {
        step += inRun ? 0 : 1;
        steps[i] = step;
        int now = step;
        used(line).ifPresent(group -> group.usedAt(now));
      }
      inRun = line.isMemory();
    }
    return step;
  }

  /** The group that the line allocates or frees, if it does. */
  Optional<BufferGroup> used(MemoryLine line) {
    return switch (line) {
      case MemoryLine.Allocate(LineBuffer buffer) -> group(buffer);
      case MemoryLine.Free(LineBuffer buffer) -> group(buffer);
      default -> Optional.empty();
    };
  }

  private Optional<BufferGroup> group(LineBuffer buffer) {
    return Optional.ofNullable(byName.get(buffer.name()));
  }

  List<BufferGroup> all() {
    return all;
  }

  /** The step of a memory line. */
  int step(int line) {
    return steps[line];
  }
}
