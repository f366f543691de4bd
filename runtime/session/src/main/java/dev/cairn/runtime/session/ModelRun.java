package dev.cairn.runtime.session;

import dev.cairn.kernels.device.DeviceId;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.budget.MemoryQueue;
import dev.cairn.runtime.executor.RunFailure;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.RunScope;
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

/**
 * One run of a model: draws its random numbers, finds its plan, notifies its observers, waits for its turn with the
 * variables, and keeps its inputs from being closed.
 *
 * @param random the model, and the random numbers of its runs
 * @param model stays open until the run has ended
 * @param limit when the run is given up
 * @param scope has begun, and ends after this
 */
record ModelRun(RandomRuns random, LoadedModel model, RunOptions how, RunLimit limit, RunScope scope) {
  private Graph graph() {
    return random.graph();
  }

  /** Like {@link Session#run(Map, RunOptions)}. */
  Result run(Map<String, ? extends Value> given) {
    Map<String, ? extends Value> inputs = random.withDraws(given);
    PlanCache.Entry plan = plan(inputs);
    try {
      GraphExecutor executor = plan.executor();
      RunObserver observer = newObserver(executor);
      Map<String, ? extends Value> results = Map.of();
      boolean hasEnded = false;
      var used = new GivenValues(reader(executor));
      try {
        beginTurn();
        try {
          results = executor instanceof DynamicGraphExecutor parts
            ? parts.runValues(used.values(graph(), inputs), how, limit, observer)
            : executor.run(used.views(graph(), inputs), how, limit, observer);
        } finally {
          used.endUse();
          endTurn();
        }
        hasEnded = true;
        observer.ended(false);
        model.declaredResults().compare(results);
        return new Result(results);
      } catch (RuntimeException | Error e) {
        Result.closeAll(results.values());
        if (!hasEnded) {
          try {
            observer.ended(true);
          } catch (RuntimeException | Error later) {
            RunFailure.suppress(e, later);
          }
        }
        throw e;
      }
    } finally {
      model.plans().giveBack(plan);
    }
  }

  /**
   * Like {@link SessionRuns#run}.
   *
   * @param types of all inputs
   * @param given one for each input of the graph, in its order; those whose values decide shapes lie on the host
   * @param results memory for each output, in the graph's order
   */
  void runInto(Map<String, TensorType> types, List<LocatedView> given, List<LocatedView> results) {
    PlanCache.Entry plan = model.plans().take(types, name -> PlanKey.bytes(given(given, name)), limit);
    try {
      RunObserver observer = newObserver(plan.executor());
      boolean hasEnded = false;
      try {
        beginTurn();
        try {
          plan.executor().runInto(given, results, limit, observer);
        } finally {
          endTurn();
        }
        hasEnded = true;
        observer.ended(false);
      } catch (RuntimeException | Error e) {
        if (!hasEnded) {
          try {
            observer.ended(true);
          } catch (RuntimeException | Error later) {
            RunFailure.suppress(e, later);
          }
        }
        throw e;
      }
    } finally {
      model.plans().giveBack(plan);
    }
  }

  private PlanCache.Entry plan(Map<String, ? extends Value> inputs) {
    Map<String, TensorType> types = new LinkedHashMap<>();
    inputs.forEach((name, value) -> {
      if (Objects.requireNonNull(value, "input " + name) instanceof Tensor tensor) {
        types.put(name, tensor.type());
      }
    });
    GivenValues.requireDeclared(graph(), inputs);
    return model.plans().take(InputBinding.ofTypes(graph(), types), name -> TensorMemory.of((Tensor) Objects
      .requireNonNull(inputs.get(name), name)).read(PlanKey::bytes), limit);
  }

  /** The device that reads the inputs. */
  private DeviceId reader(GraphExecutor executor) {
    return executor instanceof DynamicGraphExecutor ? DeviceId.CPU : model.backend().target().device().id();
  }

  private MemorySegment given(List<LocatedView> given, String name) {
    for (int i = 0; i < given.size(); i++) {
      if (graph().inputs().get(i).name().equals(name)) {
        return given.get(i).view().segment();
      }
    }
    throw new AssertionError("no such input: name=" + name);
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

  /**
   * Waits while as many runs are under way as the options allow; runs that assign to variables wait for each other. A
   * run that shares the turn of another one waits only for others that share it, on other streams. {@link #endTurn}
   * must follow, unless this throws.
   */
  private void beginTurn() {
    limit.checkWaiting();
    RunScope shared = scope.sharedTurn();
    if (shared == null) {
      beginOwnTurn();
    } else if (model.variables().areAssigned()) {
      model.memory().queue().lock(shared.inside(), limit);
    }
    scope.hasTurn(true);
  }

  private void beginOwnTurn() {
    MemoryQueue queue = model.memory().queue();
    if (!model.slots().tryAcquire()) {
      queue.beginWait();
      try {
        model.slots().acquire(limit);
      } finally {
        queue.endWait();
      }
    }
    boolean done = false;
    try {
      // Also a run that only reads variables may wait here: behind a thread that sets one, which waits for another run.
      queue.lock(model.variables().forRun(), limit);
      done = true;
    } finally {
      if (!done) {
        model.slots().release();
      }
    }
  }

  private void endTurn() {
    scope.hasTurn(false);
    RunScope shared = scope.sharedTurn();
    if (shared == null) {
      model.variables().forRun().unlock();
      model.slots().release();
    } else if (model.variables().areAssigned()) {
      shared.inside().unlock();
    }
  }
}
