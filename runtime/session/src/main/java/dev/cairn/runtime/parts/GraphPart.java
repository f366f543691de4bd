package dev.cairn.runtime.parts;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.executor.DynamicExecutor;
import dev.cairn.runtime.executor.NamedValues;
import dev.cairn.runtime.executor.RunLimit;
import dev.cairn.runtime.executor.RunValue;
import dev.cairn.runtime.executor.ValueExecutor;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.trace.RunObserver;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of a graph, which runs with a plan or node by node. Its inputs and outputs are values by name. Each
 * of its steps has a place: the step of the whole graph that observers get.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
sealed interface GraphPart extends AutoCloseable {
  /** Runs the part, which adds its outputs to the values. */
  void run(NamedValues values, RunLimit limit, RunObserver observer);

  @Override
  void close();

  /**
   * A part with a plan.
   *
   * @param executor closed with this
   */
  record Planned(PlannedExecutor executor, int[] places) implements GraphPart {
    @Override
    public void run(NamedValues values, RunLimit limit, RunObserver observer) {
      List<LocatedView> inputs = new ArrayList<>();
      for (RunValue value : values.inputs(executor.graph().graph().graph())) {
        inputs.add(LocatedView.onHost(view(value)));
      }
      List<LocatedView> results = new ArrayList<>();
      for (TensorView result : values.allocate(executor.graph().outputTypes())) {
        results.add(LocatedView.onHost(result));
      }
      executor.runInside(inputs, results, limit.inPiece(places), observer.equals(RunObserver.NONE)
        ? observer
        : StepPlaces.observer(observer, places, executor.traced().steps()));
    }

    private static TensorView view(RunValue value) {
      if (value instanceof RunValue.OfTensor tensor) {
        return tensor.view();
      }
      throw new AssertionError("a planned part reads tensors alone: value=" + value);
    }

    @Override
    public void close() {
      executor.close();
    }
  }

  /**
   * Nodes without a plan.
   *
   * @param executor closed with this
   */
  record Unplanned(Graph graph, DynamicExecutor executor, int[] places) implements GraphPart {
    @Override
    public void run(NamedValues values, RunLimit limit, RunObserver observer) {
      try (ValueExecutor.Run run = executor.runValues(values.inputs(graph), limit.inPiece(places), observer.equals(
        RunObserver.NONE) ? observer : StepPlaces.observer(observer, places, List.of()))) {
        for (int i = 0; i < graph.outputs().size(); i++) {
          values.give(graph.outputs().get(i).name(), run.value(i));
        }
      }
    }

    @Override
    public void close() {
      executor.close();
    }
  }
}
