package dev.cairn.runtime.session;

import dev.cairn.kernels.device.DeviceId;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.executor.RunFailure;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.infer.InputBinding;
import dev.cairn.runtime.trace.RunObserver;
import dev.cairn.runtime.trace.TracedGraph;
import dev.cairn.runtime.trace.flight.FlightEvents;
import dev.cairn.runtime.value.Result;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorMemory;
import dev.cairn.runtime.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One run of a model: finds its plan, tells its observers, waits for its turn with the variables, and keeps its inputs
 * from being closed.
 *
 * @param graph the model
 * @param model stays open until the run has ended
 * @param limit when the run is given up
 * @param nested whether this thread has a run of this session under way, in whose place this one runs
 */
record ModelRun(Graph graph, LoadedModel model, RunOptions how, RunLimit limit, boolean nested) {
  /** As {@link Session#run(Map, RunOptions)}. */
  Result run(Map<String, ? extends Value> inputs) {
    Map<String, TensorType> types = new LinkedHashMap<>();
    inputs.forEach((name, value) -> {
      if (Objects.requireNonNull(value, "input " + name) instanceof Tensor tensor) {
        types.put(name, tensor.type());
      }
    });
    GivenValues.requireDeclared(graph, inputs);
    PlanCache.Entry plan = model.plans().take(InputBinding.ofTypes(graph, types),
      name -> TensorMemory.of((Tensor) Objects.requireNonNull(inputs.get(name), name)).read(PlanKey::bytes), limit);
    try {
      return new Result(observed(plan.executor(), observer -> withValues(plan.executor(), inputs, observer),
        results -> Result.closeAll(results.values())));
    } finally {
      model.plans().giveBack(plan);
    }
  }

  /**
   * As {@link SessionRuns#run}.
   *
   * @param types of all inputs
   * @param given one for each input of the graph, in its order; those whose values decide shapes lie on the host
   * @param results memory for each output, in the graph's order
   * @return true
   */
  boolean runInto(Map<String, TensorType> types, List<LocatedView> given, List<LocatedView> results) {
    PlanCache.Entry plan = model.plans().take(types, name -> PlanKey.bytes(given(given, name)), limit);
    try {
      return observed(plan.executor(), observer -> {
        plan.executor().runInto(given, results, limit, observer);
        return true;
      }, _ -> {});
    } finally {
      model.plans().giveBack(plan);
    }
  }

  private MemorySegment given(List<LocatedView> given, String name) {
    for (int i = 0; i < given.size(); i++) {
      if (graph.inputs().get(i).name().equals(name)) {
        return given.get(i).view().segment();
      }
    }
    throw new AssertionError("no such input: name=" + name);
  }

  private <T> T observed(GraphExecutor executor, Function<RunObserver, T> run, Consumer<T> discard) {
    RunObserver observer = newObserver(executor);
    T results;
    try {
      results = inTurn(() -> run.apply(observer));
    } catch (RuntimeException | Error e) {
      RunFailure.tellOf(e, () -> observer.ended(true));
      throw e;
    }
    try {
      observer.ended(false);
      return results;
    } catch (RuntimeException | Error e) {
      discard.accept(results);
      throw e;
    }
  }

  /** The session's observer, Java Flight Recorder, both, or most often none. */
  private RunObserver newObserver(GraphExecutor executor) {
    RunObserver.Source observers = model.observers();
    boolean isRecorded = FlightEvents.runsAreTold();
    if (observers.equals(RunObserver.Source.NONE) && !isRecorded) {
      return RunObserver.NONE;
    }
    TracedGraph traced = executor.traced();
    return RunObserver.all(observers.observe(traced), isRecorded ? FlightEvents.observe(traced) : RunObserver.NONE);
  }

  /** Waits while as many runs are under way as the options allow; runs that assign to variables wait for each other. */
  private <T> T inTurn(Supplier<T> run) {
    limit.checkWaiting();
    if (nested) {
      return withVariables(run);
    }
    if (!model.slots().tryAcquire()) {
      model.memory().await(() -> model.slots().acquire(limit));
    }
    try {
      return withVariables(run);
    } finally {
      model.slots().release();
    }
  }

  private <T> T withVariables(Supplier<T> run) {
    Lock variables = model.variables().forRun();
    if (graph.assigns().isEmpty()) {
      limit.lock(variables); // only setVariable holds it alone, and it does not wait for memory
    } else {
      model.memory().await(() -> limit.lock(variables));
    }
    try {
      return run.get();
    } finally {
      variables.unlock();
    }
  }

  private Map<String, ? extends Value> withValues(GraphExecutor executor, Map<String, ? extends Value> inputs,
    RunObserver observer) {
    boolean isOnHost = executor instanceof DynamicGraphExecutor;
    var given = new GivenValues(isOnHost ? DeviceId.CPU : model.backend().target().device().id());
    try {
      if (executor instanceof DynamicGraphExecutor dynamic) {
        return dynamic.runValues(given.values(graph, inputs), how, limit, observer);
      }
      return executor.run(given.views(graph, inputs), how, limit, observer);
    } finally {
      given.endUse();
    }
  }
}
