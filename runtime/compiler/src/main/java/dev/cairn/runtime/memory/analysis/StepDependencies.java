package dev.cairn.runtime.memory.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The steps that each step must follow, whichever streams they run on: a read after the write whose bytes it wants, a
 * write into a buffer after all that has touched it (which is how a result in place waits for the other readers).
 */
final class StepDependencies {
  private final List<int[]> before = new ArrayList<>();

  StepDependencies(StepUses uses) {
    int[] lastWrite = new int[uses.limit()];
    Arrays.fill(lastWrite, -1);
    List<List<Integer>> readsSince = new ArrayList<>();
    for (int i = 0; i < lastWrite.length; i++) {
      readsSince.add(new ArrayList<>());
    }
    for (int step = 0; step < uses.size(); step++) {
      TreeSet<Integer> found = new TreeSet<>();
      for (int buffer : uses.steps().get(step).buffers()) {
        if (lastWrite[buffer] >= 0) {
          found.add(lastWrite[buffer]);
        }
      }
      for (int buffer : uses.steps().get(step).writes()) {
        found.addAll(readsSince.get(buffer));
        readsSince.get(buffer).clear();
        lastWrite[buffer] = step;
      }
      for (int buffer : uses.steps().get(step).reads()) {
        if (lastWrite[buffer] != step) {
          readsSince.get(buffer).add(step);
        }
      }
      before.add(found.stream().mapToInt(Integer::intValue).toArray());
    }
  }

  int size() {
    return before.size();
  }

  /** Steps that this one must come after, ascending, each once. */
  int[] before(int step) {
    return before.get(step);
  }
}
