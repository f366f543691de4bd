package dev.cairn.runtime.session;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.compile.CompiledGraph;
import dev.cairn.runtime.compile.FittingModes;
import dev.cairn.runtime.executor.ExecutorPool;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.StaticExecutor;
import dev.cairn.runtime.executor.TraceFacts;
import dev.cairn.runtime.executor.WeightStore;
import dev.cairn.runtime.parts.PlannedExecutor;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorMemory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a compiled graph. A run is admitted when it has the graph's weights, an executor, and memory for its results,
 * which the last kernels write. Weights and executors stay for the next run until memory is short. The executors are
 * its own, or those of the model's largest shapes. Thread-safe.
 */
final class StaticGraphExecutor implements GraphExecutor, PlannedExecutor {
  private final CompiledGraph graph;
  private final Map<String, SessionMemory.Output> outputs;
  private final Admission admission;
  private final Supplier<WeightStore.Lease> placing;
  private final ExecutorPool executors;
  private final RefusalReport refusals;
  /** Makes an executor of these shapes in one of the largest shapes; null when the executors are its own. */
  private final @Nullable BiFunction<StaticExecutor, WeightStore.Lease, StaticExecutor> within;
  private final Map<StaticExecutor, StaticExecutor> madeWithin = new HashMap<>();
  /** Guards weights and executors, of all shapes that share executors. */
  private final Lock lock;
  private WeightStore.@Nullable Lease weights;
  private volatile @Nullable TracedGraph traced;

  /**
   * What runs are admitted by.
   *
   * @param memory where runs find memory, or wait for it
   * @param limitBytes the most that the memory may take
   * @param isHost whether kernels read and write the host's memory
   * @param device what runs them, for observers
   */
  record Admission(SessionMemory memory, long limitBytes, boolean isHost, String device) {}

  private record Admitted(StaticExecutor executor, Map<String, Tensor> results) {}

  /**
   * With executors of its own, which are closed with it.
   *
   * @param placing places the graph's weights
   * @param maker makes an executor that reads these weights
   * @param others what else would fit, for the report of a refusal
   */
  StaticGraphExecutor(CompiledGraph graph, Admission admission, Supplier<WeightStore.Lease> placing,
    Function<WeightStore.Lease, StaticExecutor> maker, Optional<FittingModes> others) {
    this.graph = graph;
    this.outputs = outputs(graph);
    this.admission = admission;
    this.placing = placing;
    this.executors = new ExecutorPool(() -> maker.apply(placedWeights()));
    this.refusals = new RefusalReport(graph, admission, others);
    this.within = null;
    this.lock = new ReentrantLock();
  }

  /**
   * For smaller shapes, which run in the executors of the largest ones.
   *
   * @param largest lasts longer
   * @param graph compiled within the largest one's graph
   * @param within makes an executor of these shapes in one of the largest
   */
  StaticGraphExecutor(StaticGraphExecutor largest, CompiledGraph graph, Supplier<WeightStore.Lease> placing,
    BiFunction<StaticExecutor, WeightStore.Lease, StaticExecutor> within) {
    this.graph = graph;
    this.outputs = outputs(graph);
    this.admission = largest.admission;
    this.placing = placing;
    this.executors = largest.executors;
    this.refusals = new RefusalReport(graph, largest.admission, Optional.empty());
    this.within = within;
    this.lock = largest.lock;
  }

  @Override
  public CompiledGraph graph() {
    return graph;
  }

  /** Whether it runs in the executors of the largest shapes. */
  @Override
  public boolean isWithin() {
    return within != null;
  }

  @Override
  public Map<String, Tensor> run(List<LocatedView> inputs, RunOptions how, RunLimit limit, RunObserver observer) {
    Admitted admitted = begin(() -> admit(how, limit), limit);
    try {
      List<LocatedView> results = new ArrayList<>(outputs.size());
      admitted.results.values().forEach(it -> results.add(TensorMemory.of(it).located()));
      admitted.executor.run(inputs, results, limit, observer);
      return admitted.results;
    } catch (RuntimeException | Error e) {
      Result.closeAll(admitted.results.values());
      throw e;
    } finally {
      giveBack(admitted.executor);
    }
  }

  @Override
  public void runInto(List<LocatedView> inputs, List<LocatedView> results, RunLimit limit, RunObserver observer) {
    StaticExecutor executor = begin(() -> takeExecutor(limit), limit);
    try {
      executor.run(inputs, results, limit, observer);
    } finally {
      giveBack(executor);
    }
  }

  @Override
  public void runInside(List<LocatedView> inputs, List<LocatedView> results, RunLimit limit, RunObserver observer) {
    StaticExecutor executor = takeExecutor(limit);
    try {
      executor.run(inputs, results, limit, observer);
    } finally {
      executors.giveBack(executor);
    }
  }

  private void giveBack(StaticExecutor executor) {
    try {
      executors.giveBack(executor);
    } finally {
      admission.memory.end();
    }
  }

  private <T> T begin(Supplier<T> work, RunLimit limit) {
    SessionMemory memory = admission.memory;
    try {
      return memory.begin(work, limit);
    } catch (OutOfMemory e) {
      throw refusals.explained(e);
    }
  }

  private static Map<String, SessionMemory.Output> outputs(CompiledGraph graph) {
    Map<String, SessionMemory.Output> outputs = new LinkedHashMap<>();
    graph.outputTypes().forEach((name, type) -> outputs.put(name, SessionMemory.Output.of(name, type)));
    return outputs;
  }

  private Admitted admit(RunOptions how, RunLimit limit) {
    StaticExecutor executor = takeExecutor(limit);
    try {
      return new Admitted(executor, admission.memory.newResults(outputs, how::staysOnDevice));
    } catch (RuntimeException | Error e) {
      executors.giveBack(executor);
      throw e;
    }
  }

  private StaticExecutor takeExecutor(RunLimit limit) {
    limit.lock(lock);
    try {
      WeightStore.Lease placed = placedWeights();
      StaticExecutor executor = executors.take();
      var inside = within;
      if (inside == null) {
        return executor;
      }
      try {
        closeOrphans();
        return madeWithin.computeIfAbsent(executor, it -> inside.apply(it, placed));
      } catch (RuntimeException | Error e) {
        executors.giveBack(executor);
        throw e;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Closes executors of these shapes whose owner is gone. */
  private void closeOrphans() {
    madeWithin.values().removeIf(it -> {
      if (it.isClosed()) {
        it.close();
      }
      return it.isClosed();
    });
  }

  private WeightStore.Lease placedWeights() {
    lock.lock();
    try {
      WeightStore.Lease placed = weights;
      if (placed == null) {
        placed = placing.get();
        weights = placed;
      }
      return placed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public TracedGraph traced() {
    TracedGraph known = traced;
    if (known == null) {
      known = TraceFacts.of(graph, admission.device);
      traced = known;
    }
    return known;
  }

  @Override
  public Optional<CompiledGraph> compiled() {
    return Optional.of(graph);
  }

  @Override
  public List<CompiledGraph> parts() {
    return List.of(graph);
  }

  @Override
  public Optional<String> unplannedReason() {
    return Optional.empty();
  }

  @Override
  public void prepare() {
    giveBack(begin(() -> takeExecutor(RunLimit.NONE), RunLimit.NONE));
  }

  @Override
  public void closeIdle() {
    executors.closeIdle();
  }

  @Override
  public void releaseWeights() {
    lock.lock();
    try {
      if (executors.closeIdle()) {
        closeWeights();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Closes the executors that are its own, and gives the weights back. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (within == null) {
        executors.close();
      }
      closeWeights();
    } finally {
      lock.unlock();
    }
  }

  private void closeWeights() {
    WeightStore.Lease placed = weights;
    weights = null;
    madeWithin.values().forEach(StaticExecutor::close);
    madeWithin.clear();
    if (placed != null) {
      placed.close();
    }
  }
}
