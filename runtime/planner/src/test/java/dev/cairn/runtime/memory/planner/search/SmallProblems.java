package dev.cairn.runtime.memory.planner.search;

import dev.cairn.runtime.memory.Buffer;
import dev.cairn.runtime.memory.Conflicts;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.planner.BestFitPlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Seeded problems of up to eight buffers, small enough for every order to be tried, tight enough to be hard. */
final class SmallProblems {
  private SmallProblems() {}

  /** Without any constraint. */
  static MemoryProblem plain(long seed) {
    return new MemoryProblem(buffers(new Random(seed)));
  }

  /** With alignments, gaps, conflicts beyond times, and fixed offsets out of some plan. */
  static MemoryProblem constrained(long seed) {
    Random random = new Random(seed);
    List<Buffer> buffers = buffers(random);
    int kinds = random.nextInt(16);
    for (int i = 0; i < buffers.size(); i++) {
      Buffer buffer = buffers.get(i);
      if ((kinds & 1) != 0) {
        buffer = buffer.withAlignment(1 << random.nextInt(3));
      }
      if ((kinds & 2) != 0 && buffer.lifetime().length() > 2) {
        int gap = buffer.lifetime().first() + 1;
        buffer = buffer.withGaps(List.of(new Lifetime(gap, gap + 1)));
      }
      buffers.set(i, buffer);
    }
    var conflicts = new Conflicts.Builder();
    for (int i = 0; (kinds & 4) != 0 && i < 3; i++) {
      int first = random.nextInt(buffers.size() - 1);
      conflicts.add(first, first + 1 + random.nextInt(buffers.size() - 1 - first));
    }
    MemoryProblem problem = new MemoryProblem(buffers, List.of(), conflicts.build());
    return (kinds & 8) != 0 ? withFixed(random, problem) : problem;
  }

  private static MemoryProblem withFixed(Random random, MemoryProblem problem) {
    MemoryPlan plan = BestFitPlanner.BY_SIZE.plan(problem);
    List<Buffer> buffers = new ArrayList<>(problem.buffers());
    for (int i = 0; i < 2; i++) {
      int index = random.nextInt(buffers.size());
      buffers.set(index, buffers.get(index).withFixedOffset(plan.placements().get(index).offset()));
    }
    return new MemoryProblem(buffers, problem.groups(), problem.conflicts());
  }

  private static List<Buffer> buffers(Random random) {
    int size = 2 + random.nextInt(6);
    int steps = 2 + random.nextInt(8);
    int largest = 1 + random.nextInt(6);
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int first = random.nextInt(steps);
      int length = 1 + random.nextInt(Math.min(5, steps - first));
      buffers.add(Buffer.of("b" + i, 1 + random.nextInt(largest), new Lifetime(first, first + length)));
    }
    return buffers;
  }
}
