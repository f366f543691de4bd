package dev.cairn.runtime.session;

import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.runtime.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs a graph: with a plan, for the types of inputs that it was compiled for, or node by node. Any number of runs may
 * be under way, as far as memory allows. Thread-safe; owns its hold on the graph's constants.
 */
sealed interface GraphExecutor permits StaticGraphExecutor, DynamicGraphExecutor {
  /**
   * Runs once, perhaps after waiting for memory.
   *
   * @param inputs in the graph's order, of types that this executor serves
   * @return the outputs by name, in the model's order; the caller's to close
   */
  Map<String, ? extends Value> run(List<LocatedView> inputs, RunOptions how, RunLimit limit, RunObserver observer);

  /**
   * Runs once, and writes results that the caller has memory for.
   *
   * @param results one for each output, in the model's order
   * @throws IllegalArgumentException when an output has another type
   */
  void runInto(List<LocatedView> inputs, List<LocatedView> results, RunLimit limit, RunObserver observer);

  /** The facts of the graph for observers. */
  TracedGraph traced();

  /** All that was decided before the run; empty where nothing could be. */
  Optional<CompiledGraph> compiled();

  /** What ran with a plan in the latest run: the whole graph, or parts of it in their order. */
  List<CompiledGraph> parts();

  /** Why the graph has no plan as a whole; empty when it has one. Without one, all types of inputs are served. */
  Optional<String> unplannedReason();

  /** Makes sure that the first run finds all that it needs but the memory of its results. */
  void prepare();

  /** Closes what no run uses now and that takes memory for each concurrent run. */
  void closeIdle();

  /** Gives the weights back too, where no run uses them; the next run places them again. */
  void releaseWeights();

  /** Nothing may be under way. */
  void close();
}
