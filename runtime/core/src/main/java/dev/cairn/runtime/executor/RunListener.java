package dev.cairn.runtime.executor;

import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.graph.Node;
import java.util.List;

/**
 * Hears what one executor does. Runs follow one another; within a run, the steps of one stream are told by one thread
 * in their order, those of several streams by several threads at a time, and run began before and ended after all of
 * them. Steps and streams are those of the compiled graph, where there is one. What a listener throws fails the run.
 */
public interface RunListener {
  /** Hears nothing, and costs nothing. */
  RunListener NONE = new RunListener() {
    @Override
    public void runBegan() {}

    @Override
    public void stepBegan(int step, int stream) {}

    @Override
    public void stepEnded(int step, int stream) {}

    @Override
    public void runEnded() {}
  };

  void runBegan();

  void stepBegan(int step, int stream);

  /**
   * What a step of a graph that runs node by node turned out to be, before it ends; of a compiled graph all that is
   * known before the run.
   */
  default void stepFound(int step, StepFacts facts) {}

  /** The step has ended, or failed. */
  void stepEnded(int step, int stream);

  /** An output is copied to its result, as its last kernel could not write it there: after all steps. */
  default void copyBegan(int output) {}

  default void copyEnded(int output) {}

  /** The run has ended, or failed; nothing of it is under way any more. */
  void runEnded();

  /** Both hear, the second from as close to the step as may be; one of them alone when the other is {@link #NONE}. */
  static RunListener both(RunListener first, RunListener second) {
    return second.equals(NONE) ? first : first.equals(NONE) ? second : new TwoListeners(first, second);
  }

  /** Makes the listener of each executor. Thread-safe. */
  @FunctionalInterface
  interface Source {
    Source NONE = graph -> RunListener.NONE;

    /** A listener for one more executor of this graph. */
    RunListener listenerFor(CompiledGraph graph);

    /**
     * A listener for one run of a graph that runs node by node: several such runs may be under way. One that finds no
     * memory is heard to end, and to begin anew. Hears nothing unless overridden.
     *
     * @param steps in their order, all on stream 0
     */
    default RunListener listenerFor(List<Node> steps) {
      return RunListener.NONE;
    }
  }
}
