package dev.cairn.runtime.cached;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.autograd.Autograd;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.invoke.Dispatch;
import dev.cairn.runtime.ndarray.ArrayRuntime;
import dev.cairn.runtime.ndarray.CallFollower;
import dev.cairn.runtime.ndarray.FollowedCalls;
import dev.cairn.runtime.ndarray.NDArray;
import dev.cairn.runtime.resource.RandomState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes nodes of the calls of one thread. */
final class SketchedCalls implements CallFollower {
  private final ArrayRuntime arrays;
  private final NodeNames names = new NodeNames();
  private final Map<NDArray, NodeEntry> entries = new HashMap<>();
  private final Map<NodeEntry, TensorType> types = new HashMap<>();
  private final Map<NodeEntry, TensorView> values = new HashMap<>();
  private final List<Node> inputs = new ArrayList<>();
  private final List<Sketch.Source> sources = new ArrayList<>();
  private final Map<NDArray, NodeEntry> updates = new LinkedHashMap<>();
  private int parameters;
  private int draws;

  SketchedCalls(ArrayRuntime arrays) {
    this.arrays = arrays;
  }

  NDArray operand(int index, TensorType type) {
    return input("x" + index, type, new Sketch.Source.Operand(index));
  }

  private NDArray input(String name, TensorType type, Sketch.Source source) {
    return sketched(type, added(name, type, source));
  }

  private NodeEntry added(String name, TensorType type, Sketch.Source source) {
    Node node = Sketch.input(names.unique(name), type);
    inputs.add(node);
    sources.add(source);
    types.put(node.entry(), type);
    return node.entry();
  }

  private NDArray sketched(TensorType type, NodeEntry entry) {
    NDArray array = FollowedCalls.sketched(arrays, type);
    entries.put(array, entry);
    types.put(entry, type);
    return array;
  }

  NodeEntry parameter(NDArray array) {
    return entries.computeIfAbsent(array, it -> added("w" + parameters++, it.type(), new Sketch.Source.Parameter(it)));
  }

  Sketch sketch(List<NDArray> results) {
    if (results.isEmpty()) {
      throw new IllegalArgumentException("a function that is sketched must have results");
    }
    List<NodeEntry> outputs = results.stream().map(it -> entry(it, "result")).toList();
    List<Graph.Output> all = Sketch.outputs("y", outputs);
    all.addAll(Sketch.outputs("state", List.copyOf(updates.values())));
    return new Sketch(new Graph("sketch", inputs, all), new GraphTypes(types, values), sources, List.copyOf(updates
      .keySet()));
  }

  @Override
  public List<NDArray> answer(ArrayRuntime runtime, String operator, Attributes attributes, int results,
    List<@Nullable NDArray> operands) {
    List<NodeEntry> read = new ArrayList<>();
    for (NDArray operand : operands) {
      read.add(operand == null ? Node.absent() : entry(operand, operator));
    }
    while (!read.isEmpty() && read.getLast().isAbsent()) {
      read.removeLast();
    }
    Dispatch dispatch = FollowedCalls.dispatch(runtime, operator, attributes, results, operands);
    if (dispatch instanceof Dispatch.Fixed(TensorView value)) {
      return List.of(arrays.constant(value));
    }
    Node node = Node.apply(names.unique(operator), new NodeKind.Apply(operator, attributes, results), read);
    List<NDArray> made = new ArrayList<>();
    for (TensorType type : dispatch.results()) {
      NodeEntry result = node.entry(made.size());
      made.add(sketched(type, Autograd.isRecording() || !type.dtype().isFloat() ? result : stopped(result, type)));
    }
    return made;
  }

  private NodeEntry entry(NDArray array, String what) {
    if (FollowedCalls.isSketched(array)) {
      NodeEntry entry = entries.get(array);
      if (entry == null) {
        throw new IllegalArgumentException("an array of another sketch: operation=%s array=%s at=%s".formatted(what,
          array.type(), FollowedCalls.site()));
      }
      return entry;
    }
    requireNoOldView(array, what);
    TensorView constant = FollowedCalls.constantValue(array);
    return constant == null ? parameter(array) : entries.computeIfAbsent(array, _ -> constant(constant));
  }

  /** What the function overwrites has its new value in the graph only; a view of the array itself still has the old. */
  private void requireNoOldView(NDArray array, String what) {
    for (NDArray target : updates.keySet()) {
      if (!target.equals(array) && target.sharesStorageWith(array)) {
        throw new IllegalStateException(("a view of an array that this function has overwritten: operation=%s view=%s "
          + "array=%s at=%s; read the array itself, or make the view inside of the function").formatted(what, array
            .type(), target.type(), FollowedCalls.site()));
      }
    }
  }

  private NodeEntry constant(TensorView value) {
    NodeEntry entry = Node.constant(names.unique("constant"), value).entry();
    types.put(entry, value.type());
    values.put(entry, value);
    return entry;
  }

  @Override
  public NDArray draw(ArrayRuntime runtime, RandomState state) {
    return input("draw" + draws++, TensorType.of(DType.INT64, 2), new Sketch.Source.Draw(state));
  }

  @Override
  public void ran(String operator, Attributes attributes, List<@Nullable NDArray> operands, List<NDArray> results) {
    throw new AssertionError("a call ran that should be part of a graph: operator=" + operator);
  }

  @Override
  public boolean copies(NDArray target, NDArray source) {
    if (FollowedCalls.isSketched(target)) {
      writes(target, List.of());
    }
    NDArray value = source.dtype() == target.dtype() ? source : source.astype(target.dtype());
    NodeEntry entry = entry(value, "copyFrom");
    updates.put(target, entry);
    // The function now reads the new value, through which no gradient flows.
    entries.put(target, stopped(entry, target.type()));
    return true;
  }

  /** The same values, through which no gradient flows. */
  private NodeEntry stopped(NodeEntry entry, TensorType type) {
    types.put(entry, type);
    NodeEntry read = Node
      .apply(names.unique(Operators.STOP_GRADIENT), Operators.STOP_GRADIENT, Attributes.NONE, List.of(entry)).entry();
    types.put(read, type);
    return read;
  }

  @Override
  public void writes(NDArray target, List<NDArray> operands) {
    throw new IllegalStateException(("arrays are not overwritten in a function that becomes a graph: array=%s at=%s; "
      + "compute a new array, with add in place of addi").formatted(target.type(), FollowedCalls.site()));
  }
}
