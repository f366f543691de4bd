package dev.cairn.runtime;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.device.DeviceId;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.executor.ExecutorPool;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.infer.InputBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Lock;

/**
 * Runs of a graph that is planned for the types of its inputs. Any number may be under way, as far as executors and
 * memory allow. Thread-safe.
 */
final class PlannedRuns {
  private final Graph graph;
  private final SessionParts owned;

  PlannedRuns(Graph graph, SessionParts owned) {
    this.graph = graph;
    this.owned = owned;
  }

  /**
   * As {@link Session#run(Map, RunOptions)}.
   *
   * @param types of the inputs
   */
  Result run(Map<String, TensorType> types, Map<String, Tensor> inputs, RunOptions how,
    RunLimit limit) {
    PlannedModels.Planned planned = owned.plans().take(InputBinding.ofTypes(graph, types));
    try {
      RunTracing tracing = RunTracing.begin(owned.options().tracer(), () -> planned.model().traced(owned.backend()
        .target().device()));
      return tracing.of(() -> runInTurn(planned, inputs, how, limit, tracing));
    } finally {
      owned.plans().giveBack(planned);
    }
  }

  /** Runs that assign to variables wait for each other here. */
  private Result runInTurn(PlannedModels.Planned planned, Map<String, Tensor> inputs, RunOptions how,
    RunLimit limit, RunTracing tracing) {
    limit.checkWaiting();
    Lock variables = owned.variables().forRun();
    limit.lock(variables);
    try {
      return run(planned, inputs, how, limit, tracing);
    } finally {
      variables.unlock();
    }
  }

  private Result run(PlannedModels.Planned planned, Map<String, Tensor> inputs, RunOptions how,
    RunLimit limit, RunTracing tracing) {
    ExecutorPool.Admission<Map<String, Tensor>> admission = owned.queue().begin(
      () -> planned.model().admit(how, limit), limit);
    DeviceId device = owned.backend().target().device().id();
    List<TensorMemory> used = new ArrayList<>();
    try {
      tracing.probe().admitted();
      List<LocatedView> views = new ArrayList<>();
      for (Node input : graph.inputs()) {
        TensorMemory memory = Objects.requireNonNull(inputs.get(input.name()), input.name()).memory();
        views.add(memory.beginUse(device));
        used.add(memory);
      }
      List<LocatedView> results = new ArrayList<>();
      admission.results().values().forEach(it -> results.add(it.memory().located()));
      admission.executor().run(views, results, limit, tracing.listener());
      return new Result(admission.results());
    } catch (RuntimeException | Error e) {
      Tensor.closeAll(admission.results().values());
      throw e;
    } finally {
      used.forEach(TensorMemory::endUse);
      planned.model().giveBack(admission.executor());
      owned.queue().end();
    }
  }
}
