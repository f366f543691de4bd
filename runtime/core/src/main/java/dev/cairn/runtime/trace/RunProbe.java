package dev.cairn.runtime.trace;

/**
 * Is told what happens in one run, by those who do it. Steps may come from several threads at a time, each step from
 * one; all of them lie, by synchronisation of the caller's, between {@link #admitted} and {@link #ended}.
 */
public interface RunProbe {
  /** Is told and does nothing. */
  RunProbe NONE = new RunProbe() {};

  /** The run, which was asked for when the probe was made, may begin; told again when it begins anew. */
  default void admitted() {}

  default void stepBegan(int step, int stream) {}

  /**
   * What a step turned out to be, between its beginning and its end, where that was not known when the run was asked
   * for. Of a run on one stream.
   */
  default void stepFound(int step, TracedStep found) {}

  default void stepEnded(int step, int stream) {}

  default void copyBegan(int copy) {}

  /** As {@link #stepFound}. */
  default void copyFound(int copy, TracedCopy found) {}

  default void copyEnded(int copy) {}

  /** The last call of all. */
  default void ended(boolean failed) {}

  /** One probe that tells two; neither of them may fail. */
  static RunProbe both(RunProbe first, RunProbe second) {
    return first.equals(NONE) ? second : second.equals(NONE) ? first : new TwoProbes(first, second);
  }
}
