package dev.cairn.runtime.executor;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.infer.BodyTypes;
import dev.cairn.runtime.infer.TypeInference;
import dev.cairn.runtime.infer.ValueEvaluator;
import dev.cairn.runtime.operator.ValueDependentShape;
import dev.cairn.runtime.trace.RunObserver;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** One run of a {@code Loop} or {@code Scan}, trip by trip. The shape of a carried value may change between trips. */
final class DynamicRepeat {
  private final DynamicRun run;
  private final DynamicExecutor body;
  private final Node node;
  private final NodeKind.Repeat repeat;
  private final List<TensorType> parameters;
  /** The trip's number, the condition and the slices of scanned values. */
  private final List<RunValue.OfTensor> given = new ArrayList<>();
  private List<RunValue> carried = new ArrayList<>();
  private final List<List<RunValue.OfTensor>> slices = new ArrayList<>();

  DynamicRepeat(DynamicRun run, DynamicExecutor executor, Node node, NodeKind.Repeat repeat) {
    this.run = run;
    this.body = executor.bodies(node).get(0);
    this.node = node;
    this.repeat = repeat;
    this.parameters = BodyTypes.parameters(node, entry -> type(run.value(entry)));
    repeat.stacked().forEach(_ -> slices.add(new ArrayList<>()));
  }

  /** The type of a value. A container has no type of its own; the type of its elements takes its place. */
  private static TensorType type(RunValue value) {
    return switch (value) {
      case RunValue.OfTensor tensor -> tensor.view().type();
      case RunValue.OfSequence sequence -> TensorType.of(sequence.dtype());
      case RunValue.OfOptional _ -> TensorType.of(DType.BOOL);
      case RunValue.OfMap map -> map.values().view().type();
    };
  }

  /** Says how many trips there were. */
  String run(RunLimit limit) {
    long most = mostTrips();
    NodeEntry first = node.inputs().get(1);
    boolean goesOn = first.isAbsent() || DynamicBranch.condition(node, run.view(node, 1));
    long trip = 0;
    try {
      open();
      for (; goesOn && trip < most; trip++) {
        limit.checkTrip(trip);
        goesOn = trip(trip, limit);
      }
      finish(trip, limit);
    } finally {
      given.forEach(RunValue::release);
      carried.forEach(RunValue::release);
      slices.forEach(all -> all.forEach(RunValue::release));
    }
    return trip == 1 ? "1 trip" : trip + " trips";
  }

  private long mostTrips() {
    NodeEntry count = node.inputs().get(0);
    long most = Long.MAX_VALUE;
    for (int i = 0; i < repeat.scanned().size(); i++) {
      TensorView whole = scanned(i);
      long extent = whole.shape().extent(axis(i));
      if (i > 0 && extent != most) {
        throw new InvalidGraph(node.name(),
          "scanned inputs differ in their number of slices: input=%d slices=%d first=%d"
            .formatted(i, extent, most));
      }
      most = extent;
    }
    if (count.isAbsent()) {
      return most;
    }
    TensorView view = run.view(node, 0);
    if (view.dtype() != DType.INT64 || view.elementCount() != 1) {
      throw new InvalidGraph(node.name(), "a trip count must be one int64: count=" + view.type());
    }
    return Math.min(most, view.longAt(0));
  }

  private TensorView scanned(int index) {
    return run.view(node, 2 + repeat.carried() + index);
  }

  private int axis(int scanned) {
    return BodyTypes.axis(node, repeat.scanned().get(scanned), scanned(scanned).shape().rank());
  }

  private void open() {
    given.add(run.calls().allocated(node, parameters.get(0)));
    given.add(run.calls().allocated(node, parameters.get(1)));
    for (int i = 0; i < repeat.scanned().size(); i++) {
      given.add(run.calls().allocated(node, parameters.get(2 + repeat.carried() + i)));
    }
    node.inputs().subList(2, 2 + repeat.carried()).forEach(it -> {
      RunValue initial = run.value(it);
      initial.retain();
      carried.add(initial);
    });
  }

  /** Whether the loop goes on after this trip. */
  private boolean trip(long trip, RunLimit limit) {
    try (DynamicRun inside = body.runValues(arguments(trip), limit, RunObserver.NONE)) {
      boolean goesOn = DynamicBranch.condition(node, inside.output(0));
      List<RunValue> last = carried;
      for (int i = 0; i < repeat.carried(); i++) {
        requireSame("a carried value changes its element type", carriedKind(last.get(i)), carriedKind(inside.value(1
          + i)));
      }
      for (int i = 0; i < slices.size(); i++) {
        List<RunValue.OfTensor> all = slices.get(i);
        TensorView slice = inside.output(1 + repeat.carried() + i);
        requireSame("a stacked value changes its type", all.isEmpty() ? slice.type() : all.getFirst().view().type(),
          slice.type());
        all.add((RunValue.OfTensor) taken(inside, 1 + repeat.carried() + i));
      }
      carried = next(inside);
      last.forEach(RunValue::release);
      return goesOn;
    } catch (InvalidGraph e) {
      throw e.inTrip(node.name(), trip);
    } catch (StepFailed e) {
      throw e.inTrip(node.name(), trip);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s loop=%s trip=%d".formatted(e.getMessage(), node.name(), trip), e);
    }
  }

  /** An optional may become the sequence that it is declared to have, and the reverse. */
  private static String carriedKind(RunValue value) {
    return value instanceof RunValue.OfTensor tensor ? tensor.view().dtype().toString() : "container";
  }

  private List<RunValue> next(DynamicRun inside) {
    List<RunValue> next = new ArrayList<>();
    try {
      for (int i = 0; i < repeat.carried(); i++) {
        next.add(taken(inside, 1 + i));
      }
      return next;
    } catch (RuntimeException | Error e) {
      next.forEach(RunValue::release);
      throw e;
    }
  }

  private void requireSame(String message, Object was, Object now) {
    if (!was.equals(now)) {
      throw new InvalidGraph(node.name(), "%s: was=%s now=%s".formatted(message, was, now));
    }
  }

  private List<RunValue> arguments(long trip) {
    given.get(0).view().segment().set(ValueLayout.JAVA_LONG, 0, trip);
    given.get(1).view().segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    // The values are lent without their blocks. A step that keeps a value copies it, since the next trip writes there.
    List<RunValue> arguments = new ArrayList<>(List.of(RunValue.of(given.get(0).view()), RunValue.of(given.get(1)
      .view())));
    arguments.addAll(carried);
    for (int i = 0; i < repeat.scanned().size(); i++) {
      TensorView whole = scanned(i);
      int axis = axis(i);
      long index = repeat.scanned().get(i).backwards() ? whole.shape().extent(axis) - 1 - trip : trip;
      TensorSlices.read(whole, axis, index, given.get(2 + i).view(), TensorSlices.Copy.ON_HOST);
      arguments.add(RunValue.of(given.get(2 + i).view()));
    }
    node.inputs().subList(repeat.firstCapture(), node.inputs().size()).forEach(it -> arguments.add(run.value(it)));
    return arguments;
  }

  /** A result of the body, held; a copy where it lies in memory that the next trip may write. */
  private RunValue taken(DynamicRun inside, int output) {
    RunValue value = inside.value(output);
    if (value instanceof RunValue.OfTensor tensor && tensor.block() == null) {
      return run.calls().copy(node, tensor.view());
    }
    value.retain();
    return value;
  }

  private void finish(long trips, RunLimit limit) {
    List<TensorType> none = trips == 0 && !slices.isEmpty() ? typesOfSlices(limit) : List.of();
    for (int i = 0; i < repeat.carried(); i++) {
      run.hold(node.entry(i), carried.get(i));
    }
    carried = List.of();
    for (int i = 0; i < slices.size(); i++) {
      NodeKind.Repeat.Slices how = repeat.stacked().get(i);
      TensorType slice = trips == 0 ? none.get(i) : slices.get(i).getFirst().view().type();
      if (slice.dtype() == DType.STRING) {
        throw new InvalidGraph(node.name(), "strings cannot be stacked: result=" + (repeat.carried() + i));
      }
      RunValue.OfTensor result = run.calls().allocated(node, BodyTypes.stacked(node, how, slice, trips));
      run.hold(node.entry(repeat.carried() + i), result);
      TensorView whole = result.view();
      int axis = BodyTypes.axis(node, how, whole.shape().rank());
      for (int trip = 0; trip < trips; trip++) {
        TensorSlices.write(whole, axis, how.backwards() ? trips - 1 - trip : trip, slices.get(i).get(trip).view(),
          TensorSlices.Copy.ON_HOST);
      }
    }
  }

  /**
   * The types of slices for a loop without a trip, whose stacked results have no elements. If the types do not decide,
   * one trip is tried.
   */
  private List<TensorType> typesOfSlices(RunLimit limit) {
    Graph graph = body.graph().graph();
    try {
      GraphTypes types = new TypeInference(body.operators(), ValueEvaluator.NONE).infer(graph, BodyTypes.named(graph,
        parameters));
      return graph.outputs().subList(1 + repeat.carried(), graph.outputs().size()).stream().map(output -> types.type(
        output.entry())).toList();
    } catch (ValueDependentShape e) {
      if (!repeat.scanned().isEmpty()) {
        throw e;
      }
      try (DynamicRun tried = body.runValues(arguments(0), limit, RunObserver.NONE)) {
        return IntStream.range(0, slices.size()).mapToObj(i -> tried.output(1 + repeat.carried() + i).type()).toList();
      }
    }
  }
}
