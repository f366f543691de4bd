package dev.cairn.runtime;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
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
  Result run(Map<String, TensorType> types, Map<String, Tensor> inputs, RunLimit limit) {
    PlannedModels.Planned planned = owned.plans().take(InputBinding.ofTypes(graph, types));
    try {
      RunTracing tracing = RunTracing.begin(owned.options().tracer(), () -> planned.model().traced(owned.backend()
        .target().device()));
      return tracing.of(() -> runInTurn(planned, inputs, limit, tracing));
    } finally {
      owned.plans().giveBack(planned);
    }
  }

  /** Runs that assign to variables wait for each other here. */
  private Result runInTurn(PlannedModels.Planned planned, Map<String, Tensor> inputs, RunLimit limit,
    RunTracing tracing) {
    limit.checkWaiting();
    Lock variables = owned.variables().forRun();
    limit.lock(variables);
    try {
      return run(planned, inputs, limit, tracing);
    } finally {
      variables.unlock();
    }
  }

  private Result run(PlannedModels.Planned planned, Map<String, Tensor> inputs, RunLimit limit, RunTracing tracing) {
    ExecutorPool.Admission<Map<String, Tensor>> admission = owned.needing(planned.model()
      .graph(), () -> owned.queue().begin(() -> planned.model().admit(limit), limit));
    List<Tensor> used = new ArrayList<>();
    try {
      tracing.probe().admitted();
      List<TensorView> views = new ArrayList<>();
      for (Node input : graph.inputs()) {
        Tensor tensor = Objects.requireNonNull(inputs.get(input.name()), input.name());
        views.add(tensor.beginUse());
        used.add(tensor);
      }
      admission.executor().run(views, limit, tracing.listener());
      int index = 0;
      for (Tensor output : admission.results().values()) {
        tracing.probe().copyBegan(index);
        output.segment().copyFrom(admission.executor().output(index).segment());
        tracing.probe().copyEnded(index++);
      }
      return new Result(admission.results());
    } catch (RuntimeException | Error e) {
      Tensor.closeAll(admission.results().values());
      throw e;
    } finally {
      used.forEach(Tensor::endUse);
      planned.model().giveBack(admission.executor());
      owned.queue().end();
    }
  }
}
