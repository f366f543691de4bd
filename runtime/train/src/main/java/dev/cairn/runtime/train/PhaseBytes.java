package dev.cairn.runtime.train;

import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.memory.Lifetime;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.analysis.Place;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The purposes of a plan's buffers.
 *
 * @param activationBytes the most bytes of results of the forward pass that live together
 * @param gradientBytes the most bytes of results of gradients and updates that live together
 */
record PhaseBytes(long activationBytes, long gradientBytes) {
  static PhaseBytes of(CompiledGraph compiled) {
    MemoryProblem problem = compiled.storage().problem();
    boolean[] isResult = new boolean[problem.size()];
    boolean[] isBackward = new boolean[problem.size()];
    IndexedGraph graph = compiled.graph();
    for (int id = 0; id < graph.nodeCount(); id++) {
      int end = id + 1 < graph.nodeCount() ? graph.firstEntryId(id + 1) : graph.entryCount();
      for (int entry = graph.firstEntryId(id); entry < end; entry++) {
        if (compiled.storage().places().get(entry) instanceof Place.Planned(int buffer) && !isResult[buffer]) {
          isResult[buffer] = true;
          isBackward[buffer] = IterationPhase.of(graph.node(id).name()) != IterationPhase.FORWARD;
        }
      }
    }
    return new PhaseBytes(most(problem, i -> isResult[i] && !isBackward[i]), most(problem, i -> isResult[i]
      && isBackward[i]));
  }

  /** The most bytes that some of the buffers take at once. */
  private static long most(MemoryProblem problem, IntPredicate counts) {
    long[] changes = new long[problem.steps() + 1];
    List<List<Lifetime>> active = problem.active();
    for (int i = 0; i < problem.size(); i++) {
      if (counts.test(i)) {
        for (Lifetime part : active.get(i)) {
          changes[part.first()] += problem.buffer(i).reservedBytes();
          changes[part.end()] -= problem.buffer(i).reservedBytes();
        }
      }
    }
    Arrays.parallelPrefix(changes, Long::sum);
    return Arrays.stream(changes).max().orElse(0);
  }
}
