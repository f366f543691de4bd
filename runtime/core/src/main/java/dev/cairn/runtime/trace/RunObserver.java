package dev.cairn.runtime.trace;

import java.util.Arrays;
import java.util.List;

/**
 * Hears what happens in one run: a tracer, Java Flight Recorder, a profile, a test. Within a run, the steps of one
 * stream are told by one thread in their order, those of several streams by several threads at a time; all of them lie,
 * by the caller's synchronisation, between {@link #admitted} and {@link #ended}. What an observer throws fails the run.
 */
public interface RunObserver {
  /** Hears nothing, and costs nothing. */
  RunObserver NONE = new RunObserver() {};

  /**
   * The run, which was asked for when the observer was made, has an executor and its memory, and begins; told again
   * when a run without a plan begins anew, since it found no memory.
   */
  default void admitted() {}

  default void stepBegan(int step, int stream) {}

  /**
   * What a step of a graph that runs node by node turned out to be, between its beginning and its end; of a planned
   * graph all that is known before the run.
   */
  default void stepFound(int step, TracedStep found) {}

  /** The step has ended, or failed. */
  default void stepEnded(int step, int stream) {}

  /** An output is copied to its result, as its last kernel could not write it there: after all steps. */
  default void copyBegan(int output) {}

  /** What an output of a graph that runs node by node turned out to be. */
  default void copyFound(int output, TracedCopy found) {}

  default void copyEnded(int output) {}

  /** The last call of all: nothing of the run is under way any more. */
  default void ended(boolean failed) {}

  /** All as one: of beginnings the first hears first, of ends last, so that the last is closest to the step. */
  static RunObserver all(RunObserver... observers) {
    List<RunObserver> some = Arrays.stream(observers).filter(it -> !it.equals(NONE)).toList();
    return some.isEmpty() ? NONE : some.size() == 1 ? some.getFirst() : new SeveralObservers(some);
  }

  /** Makes the observer of each run. Thread-safe. */
  @FunctionalInterface
  interface Source {
    Source NONE = _ -> RunObserver.NONE;

    /**
     * A run of this graph is asked for now.
     *
     * @return {@link RunObserver#NONE} where the run is of no interest
     */
    RunObserver observe(TracedGraph graph);

    /** The observers of all of these. */
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
