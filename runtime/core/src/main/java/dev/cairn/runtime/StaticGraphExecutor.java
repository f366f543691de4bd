package dev.cairn.runtime;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.executor.ExecutorPool;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.StaticExecutor;
import dev.cairn.runtime.executor.TraceFacts;
import dev.cairn.runtime.executor.WeightStore;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs a compiled graph: a run is admitted with an executor and the memory of its results, which the last kernels
 * write. The executors are its own, or those of the model's largest shapes. Thread-safe.
 */
final class StaticGraphExecutor implements GraphExecutor {
  private final CompiledGraph graph;
  private final Map<String, TensorType> outputs;
  private final WeightStore.Lease weights;
  private final ExecutorPool executors;
  private final boolean alone;
  /** Makes an executor of these shapes in one of the largest shapes. */
  private final UnaryOperator<StaticExecutor> maker;
  private final Admission admission;
  private final Map<StaticExecutor, StaticExecutor> within = new HashMap<>();
  private volatile @Nullable TracedGraph traced;

  /**
   * What runs are admitted by.
   *
   * @param queue where runs wait for memory
   * @param memory of results
   * @param device what runs them, for observers
   */
  record Admission(MemoryQueue queue, SessionMemory memory, String device) {}

  private StaticGraphExecutor(CompiledGraph graph, WeightStore.Lease weights, ExecutorPool executors, boolean alone,
    UnaryOperator<StaticExecutor> maker, Admission admission) {
    this.graph = graph;
    this.outputs = graph.outputTypes();
    this.weights = weights;
    this.executors = executors;
    this.alone = alone;
    this.maker = maker;
    this.admission = admission;
  }

  /** With executors of its own, which are closed with it. */
  static StaticGraphExecutor alone(CompiledGraph graph, WeightStore.Lease weights, ExecutorPool executors,
    Admission admission) {
    return new StaticGraphExecutor(graph, weights, executors, true, UnaryOperator.identity(), admission);
  }

  /**
   * Smaller shapes, which run in the executors of this one's; this one must last longer.
   *
   * @param smaller compiled within this one's graph
   * @param smallerMaker makes an executor of it in one of this one's
   */
  StaticGraphExecutor within(CompiledGraph smaller, WeightStore.Lease smallerWeights,
    UnaryOperator<StaticExecutor> smallerMaker) {
    return new StaticGraphExecutor(smaller, smallerWeights, executors, false, smallerMaker, admission);
  }

  CompiledGraph graph() {
    return graph;
  }

  @Override
  public Map<String, Tensor> run(List<LocatedView> inputs, RunOptions how, RunLimit limit, RunObserver observer) {
    ExecutorPool.Admission<Map<String, Tensor>> admitted = admission.queue().begin(() -> executors.admit(
      () -> admission.memory().newResults(outputs, how::staysOnDevice), limit), limit);
    StaticExecutor executor = admitted.executor();
    try {
      executor = ofTheseShapes(executor);
      List<LocatedView> results = new ArrayList<>(outputs.size());
      admitted.results().values().forEach(it -> results.add(it.memory().located()));
      executor.run(inputs, results, limit, observer);
      return admitted.results();
    } catch (RuntimeException | Error e) {
      Tensor.closeAll(admitted.results().values());
      throw e;
    } finally {
      executors.giveBack(executor);
      admission.queue().end();
    }
  }

  private StaticExecutor ofTheseShapes(StaticExecutor executor) {
    return alone ? executor : within(executor);
  }

  private synchronized StaticExecutor within(StaticExecutor executor) {
    within.keySet().removeIf(StaticExecutor::isClosed);
    return within.computeIfAbsent(executor, maker);
  }

  @Override
  public TracedGraph traced() {
    TracedGraph known = traced;
    if (known == null) {
      known = TraceFacts.of(graph, admission.device());
      traced = known;
    }
    return known;
  }

  @Override
  public Optional<CompiledGraph> compiled() {
    return Optional.of(graph);
  }

  @Override
  public Optional<String> unplannedReason() {
    return Optional.empty();
  }

  @Override
  public void prepare() {
    executors.prepare();
  }

  @Override
  public void giveUpIdle() {
    executors.closeIdle();
  }

  @Override
  public void close() {
    if (alone) {
      executors.close();
    }
    weights.close();
  }
}
