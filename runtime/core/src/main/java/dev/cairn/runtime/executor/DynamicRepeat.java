package dev.cairn.runtime.executor;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
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
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One run of a {@code Loop} or {@code Scan}, trip by trip. The shape of a carried value may change between trips. */
final class DynamicRepeat {
  private final DynamicRun run;
  private final DynamicExecutor body;
  private final Node node;
  private final NodeKind.Repeat repeat;
  private final Allocator allocator;
  private final List<TensorType> parameters;
  /** The trip's number, the condition and the slices of scanned values. */
  private final List<Owned> given = new ArrayList<>();
  private List<Owned> carried = new ArrayList<>();
  private final List<List<Owned>> slices = new ArrayList<>();

  /** A value, and the block that the loop frees; null when the value lies elsewhere. */
  private record Owned(TensorView view, @Nullable Block block) {}

  DynamicRepeat(DynamicRun run, DynamicExecutor executor, Node node, NodeKind.Repeat repeat) {
    this.run = run;
    this.body = executor.bodies(node).get(0);
    this.node = node;
    this.repeat = repeat;
    this.allocator = run.allocator();
    this.parameters = BodyTypes.parameters(node, entry -> run.view(entry).type());
    repeat.stacked().forEach(_ -> slices.add(new ArrayList<>()));
  }

  /** Says how many trips there were. */
  String run(RunLimit limit) {
    long most = mostTrips();
    NodeEntry first = node.inputs().get(1);
    boolean goesOn = first.isAbsent() || DynamicBranch.condition(node, run.view(first));
    long trip = 0;
    try {
      open();
      for (; goesOn && trip < most; trip++) {
        limit.checkTrip(trip);
        goesOn = trip(trip, limit);
      }
      finish(trip, limit);
    } finally {
      given.forEach(this::free);
      carried.forEach(this::free);
      slices.forEach(all -> all.forEach(this::free));
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
    TensorView view = run.view(count);
    if (view.dtype() != DType.INT64 || view.elementCount() != 1) {
      throw new InvalidGraph(node.name(), "a trip count must be one int64: count=" + view.type());
    }
    return Math.min(most, view.longAt(0));
  }

  private TensorView scanned(int index) {
    return run.view(node.inputs().get(2 + repeat.carried() + index));
  }

  private int axis(int scanned) {
    return BodyTypes.axis(node, repeat.scanned().get(scanned), scanned(scanned).shape().rank());
  }

  private void open() {
    given.add(allocated(parameters.get(0)));
    given.add(allocated(parameters.get(1)));
    for (int i = 0; i < repeat.scanned().size(); i++) {
      given.add(allocated(parameters.get(2 + repeat.carried() + i)));
    }
    node.inputs().subList(2, 2 + repeat.carried()).forEach(it -> carried.add(new Owned(run.view(it), null)));
  }

  private Owned allocated(TensorType type) {
    Block block = allocator.allocate(Math.max(1, type.bytes()), "value/" + node.name());
    return new Owned(new TensorView(type, block.segment().asSlice(0, type.bytes())), block);
  }

  private void free(Owned owned) {
    if (owned.block != null) {
      allocator.free(owned.block);
    }
  }

  /** Whether the loop goes on after this trip. */
  private boolean trip(long trip, RunLimit limit) {
    try (DynamicRun inside = body.run(arguments(trip), limit, RunObserver.NONE)) {
      boolean goesOn = DynamicBranch.condition(node, inside.output(0));
      List<Owned> last = carried;
      for (int i = 0; i < repeat.carried(); i++) {
        requireSame("a carried value changes its element type", last.get(i).view.dtype(), inside.output(1 + i).dtype());
      }
      for (int i = 0; i < slices.size(); i++) {
        List<Owned> all = slices.get(i);
        TensorView slice = inside.output(1 + repeat.carried() + i);
        requireSame("a stacked value changes its type", all.isEmpty() ? slice.type() : all.getFirst().view.type(), slice
          .type());
        all.add(taken(inside, 1 + repeat.carried() + i));
      }
      carried = next(inside);
      last.forEach(this::free);
      return goesOn;
    } catch (InvalidGraph e) {
      throw e.inTrip(node.name(), trip);
    } catch (StepFailed e) {
      throw e.inTrip(node.name(), trip);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s loop=%s trip=%d".formatted(e.getMessage(), node.name(), trip), e);
    }
  }

  private List<Owned> next(DynamicRun inside) {
    List<Owned> next = new ArrayList<>();
    try {
      for (int i = 0; i < repeat.carried(); i++) {
        next.add(taken(inside, 1 + i));
      }
      return next;
    } catch (RuntimeException | Error e) {
      next.forEach(this::free);
      throw e;
    }
  }

  private void requireSame(String message, Object was, Object now) {
    if (!was.equals(now)) {
      throw new InvalidGraph(node.name(), "%s: was=%s now=%s".formatted(message, was, now));
    }
  }

  private List<TensorView> arguments(long trip) {
    given.get(0).view.segment().set(ValueLayout.JAVA_LONG, 0, trip);
    given.get(1).view.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
    List<TensorView> arguments = new ArrayList<>(List.of(given.get(0).view, given.get(1).view));
    carried.forEach(it -> arguments.add(it.view));
    for (int i = 0; i < repeat.scanned().size(); i++) {
      TensorView whole = scanned(i);
      int axis = axis(i);
      long index = repeat.scanned().get(i).backwards() ? whole.shape().extent(axis) - 1 - trip : trip;
      TensorSlices.read(whole, axis, index, given.get(2 + i).view);
      arguments.add(given.get(2 + i).view);
    }
    node.inputs().subList(repeat.firstCapture(), node.inputs().size()).forEach(it -> arguments.add(run.view(it)));
    return arguments;
  }

  /** A result of the body: its own memory, or a copy where it is a value that was passed in. */
  private Owned taken(DynamicRun inside, int output) {
    TensorView view = inside.output(output);
    Optional<Block> own = inside.takeOutput(output);
    if (own.isPresent()) {
      return new Owned(view, own.get());
    }
    Owned copy = allocated(view.type());
    copy.view.segment().copyFrom(view.segment());
    return copy;
  }

  private void finish(long trips, RunLimit limit) {
    List<TensorType> none = trips == 0 && !slices.isEmpty() ? typesOfSlices(limit) : List.of();
    for (int i = 0; i < repeat.carried(); i++) {
      Owned last = carried.get(i);
      if (last.block == null) {
        run.newValue(node.entry(i), last.view.type()).segment().copyFrom(last.view.segment());
      } else {
        run.hold(node.entry(i), last.view, last.block);
      }
    }
    carried = List.of();
    for (int i = 0; i < slices.size(); i++) {
      NodeKind.Repeat.Slices how = repeat.stacked().get(i);
      TensorType slice = trips == 0 ? none.get(i) : slices.get(i).getFirst().view.type();
      TensorView whole = run.newValue(node.entry(repeat.carried() + i), BodyTypes.stacked(node, how, slice, trips));
      int axis = BodyTypes.axis(node, how, whole.shape().rank());
      for (int trip = 0; trip < trips; trip++) {
        TensorSlices.write(whole, axis, how.backwards() ? trips - 1 - trip : trip, slices.get(i).get(trip).view);
      }
    }
  }

  /** Of a loop without a trip, whose stacked results have no elements. Where types do not tell, a trip is tried. */
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
      try (DynamicRun tried = body.run(arguments(0), limit, RunObserver.NONE)) {
        return IntStream.range(0, slices.size()).mapToObj(i -> tried.output(1 + repeat.carried() + i).type()).toList();
      }
    }
  }
}
