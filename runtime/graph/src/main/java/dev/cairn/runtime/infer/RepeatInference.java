package dev.cairn.runtime.infer;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.ValueDependentShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The sweep's step at a {@code Loop} or {@code Scan}. A short loop whose number of trips is known is followed trip by
 * trip, since a pass unrolls it. In any other, all trips have the same types.
 */
final class RepeatInference {
  /** The most trips of a loop that is unrolled. */
  static final int MOST_TRIPS = 16;
  /** The most nodes that a loop becomes when it is unrolled. */
  static final int MOST_NODES = 512;
  /** More trips than these give no bound. */
  private static final long MOST_BOUND = Integer.MAX_VALUE;

  private final Node node;
  private final NodeKind.Repeat repeat;
  private final KnownEntries known;
  private final TypeInference inference;
  private final Graph body;

  /** The inputs of the next trip: types, and values where they are known. */
  private record State(List<TensorType> types, List<Optional<TensorView>> values) {}

  RepeatInference(Node node, NodeKind.Repeat repeat, KnownEntries known, TypeInference inference) {
    this.node = node;
    this.repeat = repeat;
    this.known = known;
    this.inference = inference;
    this.body = repeat.body();
  }

  void infer() {
    Optional<Boolean> condition = isAbsent(1) ? Optional.of(true) : BranchInference.condition(node, 1, known);
    OptionalLong limit = limit();
    boolean settled = limit.isPresent() && condition.isPresent();
    if (!settled || !inference.isUnrolling() || !follow(limit.getAsLong(), condition.get())) {
      inferAlike(limit, condition);
    }
  }

  /** The most trips; empty where only a run knows them. */
  private OptionalLong limit() {
    long most = Long.MAX_VALUE;
    for (int i = 0; i < repeat.scanned().size(); i++) {
      TensorType scanned = known.type(node.inputs().get(2 + repeat.carried() + i));
      long extent = scanned.shape().extent(BodyTypes.axis(node, repeat.scanned().get(i), scanned.shape()
        .rank()));
      if (i > 0 && extent != most) {
        throw new InvalidGraph(node.name(),
          "scanned inputs differ in their number of slices: input=%d slices=%d first=%d"
            .formatted(i, extent, most));
      }
      most = extent;
    }
    if (isAbsent(0)) {
      return OptionalLong.of(most);
    }
    TensorType type = known.type(node.inputs().get(0));
    if (type.dtype() != DType.INT64 || type.shape().elementCount() != 1) {
      throw new InvalidGraph(node.name(), "a trip count must be one int64: count=" + type);
    }
    Optional<TensorView> value = known.value(node.inputs().get(0));
    return value.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Math.clamp(value.get().longAt(0), 0, most));
  }

  /** The types after the largest possible number of trips; empty where nothing limits it, or carried values grow. */
  Optional<List<TensorType>> bound() {
    try {
      OptionalLong limit = limit();
      long most = limit.isPresent()
        ? limit.getAsLong()
        : inference.ranges(known).of(node.inputs().get(0)).map(it -> Math.max(0, it.most()[0])).orElse(Long.MAX_VALUE);
      State first = first();
      KnownEntries inside = trip(first, Optional.empty(), Optional.empty());
      List<TensorType> results = results(inside, 1);
      if (most > MOST_BOUND || !results.subList(0, repeat.carried()).equals(first.types)) {
        return Optional.empty();
      }
      return Optional.of(stacked(first, results.subList(repeat.carried(), results.size()), most));
    } catch (ValueDependentShape e) {
      return Optional.empty();
    }
  }

  private boolean isAbsent(int input) {
    return node.inputs().get(input).isAbsent();
  }

  /** Follows the loop trip by trip; false when it has too many trips, or only a run knows when it ends. */
  private boolean follow(long limit, boolean first) {
    State state = first();
    List<List<TensorType>> slices = new ArrayList<>();
    boolean goesOn = first;
    int trip = 0;
    while (goesOn && trip < limit) {
      if (trip == MOST_TRIPS || (trip + 1L) * nodes(body) > MOST_NODES) {
        return false;
      }
      KnownEntries inside = trip(state, Optional.of(TensorView.ofLong(trip)), Optional.of(TensorView.ofBool(true)));
      Optional<TensorView> condition = inside.value(body.outputs().get(0).entry());
      if (condition.isEmpty()) {
        return false;
      }
      goesOn = condition.get().longAt(0) != 0;
      state = next(inside);
      slices.add(results(inside, 1 + repeat.carried()));
      requireSame(slices.getFirst(), slices.getLast(), trip);
      trip++;
    }
    List<TensorType> each = slices.isEmpty()
      ? results(trip(first(), Optional.empty(), Optional.empty()), 1 + repeat
        .carried())
      : slices.getFirst();
    putResults(state, each, trip);
    known.putTrips(node, trip);
    return true;
  }

  private void requireSame(List<TensorType> was, List<TensorType> now, int trip) {
    if (!was.equals(now)) {
      throw new InvalidGraph(node.name(), "a stacked value changes its type: trip=%d was=%s now=%s".formatted(trip, was,
        now));
    }
  }

  /** Infers a loop of which all trips have the same types. */
  private void inferAlike(OptionalLong limit, Optional<Boolean> condition) {
    State first = first();
    KnownEntries inside = trip(first, Optional.empty(), Optional.empty());
    List<TensorType> carried = results(inside, 1).subList(0, repeat.carried());
    for (int i = 0; i < carried.size(); i++) {
      TensorType before = first.types.get(i);
      if (before.dtype() != carried.get(i).dtype()) {
        throw new InvalidGraph(node.name(), "a carried value changes its element type: value=%d before=%s after=%s"
          .formatted(i, before, carried.get(i)));
      }
    }
    if (!carried.equals(first.types)) {
      throw new ValueDependentShape(node.name(), 0,
        "a carried value changes its shape from trip to trip: before=%s after=%s"
          .formatted(first.types, carried));
    }
    OptionalLong trips = condition.isPresent() && !condition.get()
      ? OptionalLong.of(0)
      : condition.isPresent()
        && goesOn(inside) ? limit : OptionalLong.empty();
    if (trips.isEmpty() && !repeat.stacked().isEmpty()) {
      int input = limit.isEmpty() ? 0 : 1;
      throw new ValueDependentShape(node.name(), input,
        "the number of trips is only known when the model runs: input=" + input);
    }
    putResults(new State(first.types, carried.stream().map(_ -> Optional.<TensorView>empty()).toList()), results(inside,
      1 + repeat.carried()), trips.orElse(0));
  }

  /** Whether no trip ends the loop. */
  private boolean goesOn(KnownEntries inside) {
    NodeEntry condition = body.outputs().get(0).entry();
    return condition.equals(body.inputs().get(1).entry())
      || inside.value(condition).filter(value -> value.longAt(0) != 0).isPresent();
  }

  private void putResults(State last, List<TensorType> slices, long trips) {
    known.put(node, stacked(last, slices, trips));
    for (int i = 0; i < repeat.carried(); i++) {
      NodeEntry result = node.entry(i);
      last.values.get(i).ifPresent(value -> known.putValue(result, value));
    }
  }

  private List<TensorType> stacked(State last, List<TensorType> slices, long trips) {
    List<TensorType> results = new ArrayList<>(last.types);
    for (int i = 0; i < slices.size(); i++) {
      results.add(BodyTypes.stacked(node, repeat.stacked().get(i), slices.get(i), trips));
    }
    return results;
  }

  private State first() {
    List<NodeEntry> carried = node.inputs().subList(2, 2 + repeat.carried());
    return new State(carried.stream().map(known::type).toList(), carried.stream().map(known::value).toList());
  }

  private State next(KnownEntries inside) {
    List<NodeEntry> carried = body.outputs().subList(1, 1 + repeat.carried()).stream().map(Graph.Output::entry)
      .toList();
    return new State(carried.stream().map(inside::type).toList(), carried.stream().map(inside::value).toList());
  }

  private KnownEntries trip(State state, Optional<TensorView> trip, Optional<TensorView> condition) {
    List<TensorType> types = new ArrayList<>(BodyTypes.parameters(node, known::type));
    List<Optional<TensorView>> values = new ArrayList<>(List.of(trip, condition));
    for (int i = 0; i < repeat.carried(); i++) {
      types.set(2 + i, state.types.get(i));
      values.add(trip.isPresent() ? state.values.get(i) : Optional.empty());
    }
    repeat.scanned().forEach(_ -> values.add(Optional.empty()));
    node.inputs().subList(repeat.firstCapture(), node.inputs().size()).forEach(it -> values.add(known.value(it)));
    KnownEntries inside = inference.inferBody(body, types, values);
    TensorType ended = inside.type(body.outputs().get(0).entry());
    if (ended.dtype() != DType.BOOL || ended.shape().elementCount() != 1) {
      throw new InvalidGraph(node.name(), "a body's condition must be one boolean: condition=" + ended);
    }
    return inside;
  }

  private List<TensorType> results(KnownEntries inside, int from) {
    return body.outputs().subList(from, body.outputs().size()).stream().map(output -> inside.type(output.entry()))
      .toList();
  }

  /** How many nodes a run of the body computes, at most, with those of bodies inside. */
  private static long nodes(Graph graph) {
    long count = 0;
    for (Node each : graph.nodes()) {
      count += each.isComputed() ? 1 : 0;
      if (each.kind() instanceof NodeKind.Control control) {
        count += control.bodies().stream().mapToLong(RepeatInference::nodes).sum();
      }
    }
    return count;
  }
}
