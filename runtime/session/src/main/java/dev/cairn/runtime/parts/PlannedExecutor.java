package dev.cairn.runtime.parts;

import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedGraph;
import java.util.List;

/** Runs a part that has a plan. */
public interface PlannedExecutor extends AutoCloseable {
  CompiledGraph graph();

  /** The facts of the part that observers get. */
  TracedGraph traced();

  /**
   * An executor of this part in this memory, for smaller types. It must be closed before this one.
   *
   * @param smaller compiled within this part's graph
   */
  PlannedExecutor within(CompiledGraph smaller);

  /** Whether it runs in the memory of the same part for larger types. */
  boolean isWithin();

  /**
   * Runs once, inside a run of the whole graph: it waits for no memory.
   *
   * @param results one for each output, in the part's order
   */
  void runInside(List<LocatedView> inputs, List<LocatedView> results, RunLimit limit, RunObserver observer);

  /** Closes what no run uses now and that takes memory for each concurrent run. */
  void closeIdle();

  /** Gives the weights back too, where no run uses them; the next run places them again. */
  void releaseWeights();

  @Override
  void close();
}
