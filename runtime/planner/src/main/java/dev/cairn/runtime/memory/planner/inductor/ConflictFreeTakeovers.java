package dev.cairn.runtime.memory.planner.inductor;

import dev.cairn.runtime.memory.MemoryProblem;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Forbids that a buffer gets bytes that one in conflict with it has ever had. Not for several threads. */
final class ConflictFreeTakeovers implements Takeovers {
  private static final int NOBODY = -1;

  private final MemoryProblem problem;
  private final Map<String, Integer> indexes = new HashMap<>();
  /** For each buffer, the buffer that had its bytes before. */
  private final int[] before;

  ConflictFreeTakeovers(MemoryProblem problem) {
    this.problem = problem;
    before = new int[problem.size()];
    Arrays.fill(before, NOBODY);
    for (int i = 0; i < before.length; i++) {
      indexes.put(problem.buffer(i).name(), i);
    }
  }

  @Override
  public boolean allows(LineBuffer freed, LineBuffer next) {
    if (problem.conflicts().isEmpty()) {
      return true;
    }
    int index = index(next);
    int owner = index(freed);
    while (owner != NOBODY && !problem.conflicts().contains(index, owner)) {
      owner = before[owner];
    }
    return owner == NOBODY;
  }

  @Override
  public void taken(LineBuffer freed, LineBuffer next) {
    before[index(next)] = index(freed);
  }

  private int index(LineBuffer buffer) {
    Integer index = indexes.get(buffer.name());
    if (index == null) {
      throw new AssertionError("line with a buffer that is not the problem's: buffer=" + buffer);
    }
    return index;
  }
}
