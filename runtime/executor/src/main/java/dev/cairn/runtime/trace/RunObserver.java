package dev.cairn.runtime.trace;

import java.util.Arrays;
import java.util.List;

/**
 * Receives the events of one run, for a tracer, Java Flight Recorder, a profile or a test. One thread reports the steps
 * of one stream in order; several threads may report the steps of several streams concurrently. All step events happen
 * after {@link #admitted} and before {@link #ended}. An exception from an observer fails the run.
 */
public interface RunObserver {
  /** Ignores all events, at no cost. */
  RunObserver NONE = new RunObserver() {};

  /**
   * The run has its executor and memory, and begins. A run without a plan may begin again after it ran out of memory;
   * then this is called again.
   */
  default void admitted() {}

  /**
   * Whether this observer wants the steps and copies of its run. One that does not gets {@link #admitted} and {@link
   * #ended} alone, and a GPU may then repeat a recorded run.
   */
  default boolean observesSteps() {
    return true;
  }

  /**
   * Whether this observer wants the memory of the steps of its run: {@link #memoryUsed}. An observer that wants it also
   * wants the steps.
   */
  default boolean observesMemory() {
    return false;
  }

  default void stepBegan(int step, int stream) {}

  /**
   * The step's kernel gets these bytes: first what it reads, then its scratch memory, then what it writes. Called
   * between the step's begin and its work; only for planned graphs, and only if {@link #observesMemory}. Memory on the
   * Java heap is left out.
   *
   * @param address of the first byte, in the memory of the device
   * @param bytes at least 1
   */
  default void memoryUsed(int step, MemoryUse use, long address, long bytes) {}

  /**
   * Describes a step of a graph that runs node by node; called between the step's begin and end. Not called for a
   * planned graph, whose steps are known before the run.
   */
  default void stepFound(int step, TracedStep found) {}

  /** The step has ended, or failed. */
  default void stepEnded(int step, int stream) {}

  /**
   * The run begins to copy an output to the result, because its last kernel could not write there. Called after all
   * steps.
   */
  default void copyBegan(int output) {}

  /** Describes an output of a graph that runs node by node. */
  default void copyFound(int output, TracedCopy found) {}

  default void copyEnded(int output) {}

  /** The run has ended; the last call. */
  default void ended(boolean failed) {}

  /**
   * Combines observers. Each begin goes to the first observer first and each end to it last, so the last observer
   * measures closest to the step.
   */
  static RunObserver all(RunObserver... observers) {
    List<RunObserver> some = Arrays.stream(observers).filter(it -> !it.equals(NONE)).toList();
    return some.isEmpty() ? NONE : some.size() == 1 ? some.getFirst() : new SeveralObservers(some);
  }

  /** Makes the observer of each run. Thread-safe. */
  @FunctionalInterface
  interface Source {
    Source NONE = _ -> RunObserver.NONE;

    /**
     * Called when a caller requests a run of this graph.
     *
     * @return the run's observer; {@link RunObserver#NONE} to ignore the run
     */
    RunObserver observe(TracedGraph graph);

    /** Combines sources of observers. */
    static Source all(Source... sources) {
      List<Source> some = Arrays.stream(sources).filter(it -> !it.equals(NONE)).toList();
      return some.isEmpty()
        ? NONE
        : some.size() == 1
          ? some.getFirst()
          : graph -> RunObserver.all(some.stream().map(
            it -> it.observe(graph)).toArray(RunObserver[]::new));
    }
  }
}
