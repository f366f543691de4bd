package dev.cairn.runtime.pass.control;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.GraphCopy;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The trips of one loop, one after the other. */
final class Unrolling {
  private final Node old;
  private final Node node;
  private final NodeKind.Repeat repeat;
  private final GraphTypes types;
  private final NodeNames names;

  /**
   * @param old the loop in the old graph, whose types are known
   * @param node the same loop with its operands in the new graph
   */
  Unrolling(Node old, Node node, NodeKind.Repeat repeat, GraphTypes types, NodeNames names) {
    this.old = old;
    this.node = node;
    this.repeat = repeat;
    this.types = types;
    this.names = names;
  }

  /** The loop's results. */
  List<NodeEntry> of(int trips) {
    int end = 2 + repeat.carried();
    List<NodeEntry> carried = node.inputs().subList(2, end);
    List<List<NodeEntry>> slices = new ArrayList<>();
    repeat.stacked().forEach(_ -> slices.add(new ArrayList<>()));
    NodeEntry condition = constant("condition", TensorView.ofBool(true));
    for (int trip = 0; trip < trips; trip++) {
      String suffix = "[" + trip + "]";
      List<NodeEntry> arguments = new ArrayList<>();
      arguments.add(constant("trip" + suffix, TensorView.ofLong(trip)));
      arguments.add(condition);
      arguments.addAll(carried);
      for (int i = 0; i < repeat.scanned().size(); i++) {
        arguments.add(slice(i, trip));
      }
      arguments.addAll(node.inputs().subList(repeat.firstCapture(), node.inputs().size()));
      List<NodeEntry> results = GraphCopy.of(repeat.body(), arguments, name -> names.unique(name + suffix));
      carried = results.subList(1, 1 + repeat.carried());
      for (int i = 0; i < slices.size(); i++) {
        slices.get(i).add(results.get(1 + repeat.carried() + i));
      }
    }
    List<NodeEntry> results = new ArrayList<>(carried);
    for (int i = 0; i < slices.size(); i++) {
      results.add(stacked(i, slices.get(i)));
    }
    return results;
  }

  private NodeEntry slice(int scanned, int trip) {
    NodeKind.Repeat.Slices slices = repeat.scanned().get(scanned);
    int input = 2 + repeat.carried() + scanned;
    int axis = axis(slices, types.type(old.inputs().get(input)).shape().rank());
    long extent = types.type(old.inputs().get(input)).shape().extent(axis);
    long index = slices.backwards() ? extent - 1 - trip : trip;
    return apply("slice[" + trip + "]", Operators.GATHER, axis, node.inputs().get(input),
      constant("index[" + trip + "]",
        TensorView.ofLong(index)));
  }

  private NodeEntry stacked(int index, List<NodeEntry> slices) {
    TensorType type = types.type(old.entry(repeat.carried() + index));
    if (slices.isEmpty()) {
      return constant("stacked", HeapTensor.allocate(type));
    }
    int axis = axis(repeat.stacked().get(index), type.shape().rank());
    NodeEntry axes = constant("axes", TensorView.ofLongs(axis));
    List<NodeEntry> parts = new ArrayList<>();
    for (NodeEntry slice : slices) {
      parts.add(Node.apply(unique("part"), Operators.UNSQUEEZE, Attributes.NONE, List.of(slice, axes)).entry());
    }
    if (repeat.stacked().get(index).backwards()) {
      Collections.reverse(parts);
    }
    return apply("stacked", Operators.CONCAT, axis, parts.toArray(NodeEntry[]::new));
  }

  private static int axis(NodeKind.Repeat.Slices slices, int rank) {
    return (int) (slices.axis() < 0 ? slices.axis() + rank : slices.axis());
  }

  private NodeEntry apply(String name, String operator, int axis, NodeEntry... inputs) {
    return Node.apply(unique(name), operator, Attributes.NONE.with("axis", axis), List.of(inputs)).entry();
  }

  private NodeEntry constant(String name, TensorView value) {
    return Node.constant(unique(name), value).entry();
  }

  private String unique(String name) {
    return names.unique(node.name() + "/" + name);
  }
}
