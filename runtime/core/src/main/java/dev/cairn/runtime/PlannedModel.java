package dev.cairn.runtime;

import dev.cairn.kernels.device.Device;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.ExecutorPool;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.StaticExecutor;
import dev.cairn.runtime.executor.WeightStore;
import dev.cairn.runtime.trace.TracedGraph;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A compiled graph, the executors that run it, and the weights that they read. It has executors of its own, or runs in
 * those of the model's largest shapes. Thread-safe.
 */
final class PlannedModel {
  private final CompiledGraph graph;
  private final WeightStore.Lease weights;
  private final ExecutorPool executors;
  private final boolean alone;
  /** Makes an executor of these shapes in one of the largest shapes. */
  private final UnaryOperator<StaticExecutor> maker;
  private final Function<RunOptions, Map<String, Tensor>> results;
  private final Map<StaticExecutor, StaticExecutor> within = new HashMap<>();
  private volatile @Nullable TracedGraph traced;

  private PlannedModel(CompiledGraph graph, WeightStore.Lease weights, ExecutorPool executors,
    boolean alone, UnaryOperator<StaticExecutor> maker, Function<RunOptions, Map<String, Tensor>> results) {
    this.graph = graph;
    this.weights = weights;
    this.executors = executors;
    this.alone = alone;
    this.maker = maker;
    this.results = results;
  }

  /** With executors of its own, which are closed with it. */
  static PlannedModel alone(CompiledGraph graph, WeightStore.Lease weights,
    ExecutorPool executors, Function<RunOptions, Map<String, Tensor>> results) {
    return new PlannedModel(graph, weights, executors, true, UnaryOperator.identity(), results);
  }

  /**
   * Smaller shapes, which run in the executors of this one's; this one must last longer.
   *
   * @param smaller compiled within this one's graph
   * @param smallerMaker makes an executor of it in one of this one's
   * @param smallerResults takes the memory of one run's results
   */
  PlannedModel within(CompiledGraph smaller, WeightStore.Lease smallerWeights,
    UnaryOperator<StaticExecutor> smallerMaker, Function<RunOptions, Map<String, Tensor>> smallerResults) {
    return new PlannedModel(smaller, smallerWeights, executors, false, smallerMaker, smallerResults);
  }

  CompiledGraph graph() {
    return graph;
  }

  /** What traces tell of it; made when first asked for. */
  TracedGraph traced(Device device) {
    TracedGraph known = traced;
    if (known == null) {
      known = TraceFacts.of(graph, device.description());
      traced = known;
    }
    return known;
  }

  /** As {@link ExecutorPool#admit}; the executor is of these shapes. */
  ExecutorPool.Admission<Map<String, Tensor>> admit(RunOptions how, RunLimit limit) {
    ExecutorPool.Admission<Map<String, Tensor>> admission = executors.admit(() -> results.apply(how), limit);
    if (alone) {
      return admission;
    }
    try {
      return new ExecutorPool.Admission<>(within(admission.executor()), admission.results());
    } catch (RuntimeException | Error e) {
      Tensor.closeAll(admission.results().values());
      executors.giveBack(admission.executor());
      throw e;
    }
  }

  private synchronized StaticExecutor within(StaticExecutor executor) {
    within.keySet().removeIf(StaticExecutor::isClosed);
    return within.computeIfAbsent(executor, maker);
  }

  /** Ends an admission's right to its executor. */
  void giveBack(StaticExecutor executor) {
    executors.giveBack(executor);
  }

  /** Makes sure that there is an executor. */
  void prepare() {
    executors.prepare();
  }

  /** Closes the executors that nobody uses now. */
  void closeIdle() {
    executors.closeIdle();
  }

  /** All executors must have been given back. */
  void close() {
    if (alone) {
      executors.close();
    }
    weights.close();
  }
}
