package dev.cairn.runtime.executor;

import dev.cairn.allocator.Block;
import dev.cairn.runtime.trace.RunObserver;
import java.util.List;
import java.util.Optional;

/**
 * Runs a graph whose types are known in the run only: node by node, or in parts. Thread-safe: any number of runs at a
 * time.
 */
public interface ValueExecutor extends AutoCloseable {
  /** One run, and its outputs until closed. Not thread-safe. */
  interface Run extends AutoCloseable {
    /** One output, in the run's own memory, a constant's or the caller's. */
    RunValue value(int output);

    /**
     * The memory of an output, which is the caller's from then on; empty when it is not the run's own to give, since
     * it is an input, a constant or a variable, or another output lies in it.
     */
    Optional<Block> takeOutput(int index);

    /** Gives up the outputs. */
    @Override
    void close();
  }

  /**
   * Runs once and returns when all outputs are there.
   *
   * @param inputs one for each input of the graph, in its order, of the types that it declares
   * @param observer of this run alone
   * @return holds the outputs until closed
   * @throws RunStopped when the limit says so before a step; nothing is held then, as after any failure
   * @throws dev.cairn.allocator.OutOfMemory when a result does not fit
   * @throws dev.cairn.runtime.graph.InvalidGraph when values lead to shapes that do not fit
   * @throws IllegalArgumentException when a kernel refuses what it is given
   * @throws StepFailed when a step throws anything else
   */
  Run runValues(List<RunValue> inputs, RunLimit limit, RunObserver observer);

  /** No run may be under way, or its outputs still be read. */
  @Override
  void close();
}
