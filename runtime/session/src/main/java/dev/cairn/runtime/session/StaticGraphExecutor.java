package dev.cairn.runtime.session;

import dev.cairn.allocator.OutOfMemory;
import dev.cairn.kernels.device.Closing;
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
import org.jspecify.annotations.Nullable;

/**
 * Runs a compiled graph. A run is admitted when it has the graph's weights, an executor, and memory for its results,
 * which the last kernels write. Weights and executors stay for the next run until memory is short. The executors are
 * its own, or those of the model's largest shapes. Thread-safe.
 */
final class StaticGraphExecutor implements GraphExecutor, PlannedExecutor {
  private final CompiledGraph graph;
  private final Map<String, SessionMemory.Output> outputs;
  private final GraphPlacer placer;
  private final ExecutorPool executors;
  private final RefusalReport refusals;
  /** In whose executors it runs; null when they are its own. */
  private final @Nullable StaticGraphExecutor largest;
  private final Map<StaticExecutor, StaticExecutor> madeWithin = new HashMap<>();
  /** Guards weights and executors, of all shapes that share executors. */
  private final Lock lock;
  private WeightStore.@Nullable Lease weights;
  private volatile @Nullable TracedGraph traced;

  private record Admitted(StaticExecutor executor, Map<String, Tensor> results) {}

  /**
   * An executor with resources of its own, which are closed with it.
   *
   * @param others what else would fit, for the report of a refusal
   */
  StaticGraphExecutor(CompiledGraph graph, GraphPlacer placer, Optional<FittingModes> others) {
    this.graph = graph;
    this.outputs = outputs(graph);
    this.placer = placer;
    this.executors = new ExecutorPool();
    this.refusals = new RefusalReport(graph, placer, others);
    this.largest = null;
    this.lock = new ReentrantLock();
  }

  /**
   * For smaller shapes, which run in the executors of the largest ones.
   *
   * @param largest lasts longer
   * @param graph compiled within the largest one's graph
   */
  private StaticGraphExecutor(StaticGraphExecutor largest, CompiledGraph graph) {
    this.graph = graph;
    this.outputs = outputs(graph);
    this.placer = largest.placer;
    this.executors = largest.executors;
    this.refusals = new RefusalReport(graph, largest.placer, Optional.empty());
    this.largest = largest;
    this.lock = largest.lock;
  }

  @Override
  public StaticGraphExecutor within(CompiledGraph smaller) {
    return new StaticGraphExecutor(this, smaller);
  }

  @Override
  public CompiledGraph graph() {
    return graph;
  }

  /** Whether it runs in the executors of the largest shapes. */
  @Override
  public boolean isWithin() {
    return largest != null;
  }

  @Override
  public Map<String, Tensor> run(List<LocatedView> inputs, RunOptions how, RunLimit limit, RunObserver observer) {
    Admitted admitted;
    try {
      admitted = placer.memory().begin(() -> admit(how, limit), limit);
    } catch (OutOfMemory e) {
      throw refusals.explained(e);
    }
    try {
      List<TensorMemory> memories = admitted.results.values().stream().map(TensorMemory::of).toList();
      // The kernels write there: until they have ended, the results don't move.
      TensorMemory.holdAll(memories);
      try {
        List<LocatedView> results = new ArrayList<>(outputs.size());
        memories.forEach(it -> results.add(it.located()));
        admitted.executor.run(inputs, results, limit, observer);
      } finally {
        memories.forEach(TensorMemory::endUse);
      }
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
    StaticExecutor executor = begin(limit);
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
      placer.memory().end();
    }
  }

  /** Admits a run that needs no memory for results; {@link #giveBack} must follow. */
  private StaticExecutor begin(RunLimit limit) {
    try {
      return placer.memory().begin(() -> takeExecutor(limit), limit);
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
      return new Admitted(executor, placer.memory().newResults(outputs, how::staysOnDevice));
    } catch (RuntimeException | Error e) {
      executors.giveBack(executor);
      throw e;
    }
  }

  private StaticExecutor takeExecutor(RunLimit limit) {
    limit.lock(lock);
    try {
      WeightStore.Lease placed = placedWeights();
      if (largest == null) {
        return takeOwn();
      }
      StaticExecutor larger = largest.takeOwn();
      try {
        closeOrphans();
        StaticExecutor made = madeWithin.get(larger);
        if (made == null) {
          made = placer.executorWithin(larger, graph, placed);
          madeWithin.put(larger, made);
        }
        return made;
      } catch (RuntimeException | Error e) {
        executors.giveBack(larger);
        throw e;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The caller holds the lock. */
  private StaticExecutor takeOwn() {
    StaticExecutor executor = executors.take();
    if (executor == null) {
      executor = placer.executor(graph, placedWeights());
      executors.add(executor);
    }
    return executor;
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

  /** The caller holds the lock. */
  private WeightStore.Lease placedWeights() {
    WeightStore.Lease placed = weights;
    if (placed == null) {
      placed = placer.weightsOf(graph);
      weights = placed;
    }
    return placed;
  }

  @Override
  public TracedGraph traced() {
    TracedGraph known = traced;
    if (known == null) {
      known = TraceFacts.of(graph, placer.device());
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
    giveBack(begin(RunLimit.NONE));
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
      var closing = new Closing();
      if (largest == null) {
        closing.end(executors::close);
      }
      closing.end(this::closeWeights);
      closing.throwFailure();
    } finally {
      lock.unlock();
    }
  }

  private void closeWeights() {
    WeightStore.Lease placed = weights;
    weights = null;
    var closing = new Closing();
    madeWithin.values().forEach(it -> closing.end(it::close));
    madeWithin.clear();
    if (placed != null) {
      closing.end(placed::close);
    }
    closing.throwFailure();
  }
}
