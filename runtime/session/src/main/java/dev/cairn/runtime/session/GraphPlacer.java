package dev.cairn.runtime.session;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.RunTarget;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.StaticExecutor;
import dev.cairn.runtime.executor.WeightStore;
import java.util.List;

/**
 * Places compiled graphs in a session's memory: their weights, and executors with their pools. Thread-safe.
 *
 * @param memory where runs find memory, or wait for it
 * @param limitBytes the most that the memory may take
 * @param target what runs the graphs
 * @param weights the weights of all graphs of the session
 * @param variables the variables of the session's model
 */
record GraphPlacer(SessionMemory memory, long limitBytes, RunTarget target, WeightStore weights,
  SessionVariables variables) {
  /**
   * Places the graph's weights.
   *
   * @throws dev.cairn.allocator.OutOfMemory when they do not fit; nothing is held then
   */
  WeightStore.Lease weightsOf(CompiledGraph graph) {
    return weights.store(graph.storage().constants(), graph.streamedConstants());
  }

  /**
   * Makes an executor with pools of its own.
   *
   * @param placed the graph's weights
   * @throws dev.cairn.allocator.OutOfMemory when the pools do not fit; nothing is held then
   */
  StaticExecutor executor(CompiledGraph graph, WeightStore.Lease placed) {
    return new StaticExecutor(graph, placed.views(), variables(graph), memory.regions(), target);
  }

  /** Makes an executor in the pools of another one, which was made for larger shapes. */
  StaticExecutor executorWithin(StaticExecutor larger, CompiledGraph graph, WeightStore.Lease placed) {
    return larger.within(graph, placed.views(), variables(graph));
  }

  private List<TensorView> variables(CompiledGraph graph) {
    return variables.views(graph.storage().variables().variables());
  }

  /** Whether kernels read and write the host's memory. */
  boolean isHost() {
    return target.isHost();
  }

  /** The device that runs the graphs, as text for observers. */
  String device() {
    return target.device().description();
  }
}
