package dev.cairn.runtime.onnx.decode;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.notation.UniqueNames;
import dev.cairn.runtime.onnx.proto.TypeProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the node of an {@code If}, {@code Loop} or {@code Scan}. What its bodies read from outside becomes operands;
 * constants are copied into the bodies.
 */
final class ControlAssembler {
  private final GraphAssembler outer;
  private final FlatNode node;
  private final String name;
  private final UniqueNames names;

  /** @param name of the node in the graph */
  ControlAssembler(GraphAssembler outer, FlatNode node, String name, UniqueNames names) {
    this.outer = outer;
    this.node = node;
    this.name = name;
    this.names = names;
  }

  /** @throws IllegalArgumentException when bodies and node do not fit each other */
  List<NodeEntry> results(Attributes attributes) {
    Node made = switch (node.operator().name()) {
      case "If" -> branch();
      case "Loop" -> loop();
      default -> scan(attributes);
    };
    if (node.outputs().size() > made.kind().outputs()) {
      throw new IllegalArgumentException("a body gives fewer results than its node: node=%d body=%d".formatted(node
        .outputs().size(), made.kind().outputs()));
    }
    return GraphRewriter.entries(made);
  }

  private FlatBody body(String attribute) {
    FlatBody body = node.bodies().get(attribute);
    if (body == null) {
      throw new IllegalArgumentException("a body is missing: attribute=" + attribute);
    }
    if (body.outputs().isEmpty()) {
      throw new IllegalArgumentException("a body needs a result: body=" + attribute);
    }
    return body;
  }

  private NodeEntry input(int index) {
    return index < node.inputs().size() ? outer.made(node.inputs().get(index)) : Node.absent();
  }

  private Node branch() {
    FlatBody then = body("then_branch");
    FlatBody otherwise = body("else_branch");
    if (then.outputs().size() != otherwise.outputs().size() || !then.inputs().isEmpty() || !otherwise.inputs().isEmpty()
      || node.inputs().size() != 1) {
      throw new IllegalArgumentException("branches need no inputs and as many results: inputs=%d,%d results=%d,%d"
        .formatted(then.inputs().size(), otherwise.inputs().size(), then.outputs().size(), otherwise.outputs().size()));
    }
    List<String> captured = captured(then, otherwise);
    List<NodeEntry> operands = new ArrayList<>(List.of(input(0)));
    captured.forEach(value -> operands.add(outer.made(value)));
    var kind = new NodeKind.Branch(outer.body(then, List.of(), List.of(), captured), outer.body(otherwise, List.of(),
      List.of(), captured));
    return Node.control(name, kind, operands);
  }

  /** What bodies read from outside, without constants. */
  private List<String> captured(FlatBody... bodies) {
    Set<String> all = new LinkedHashSet<>();
    for (FlatBody body : bodies) {
      all.addAll(body.captures());
    }
    return all.stream().filter(value -> outer.made(value).node().constant().isEmpty()).toList();
  }

  private Node loop() {
    FlatBody body = body("body");
    int carried = Math.max(0, node.inputs().size() - 2);
    requireCounts(body, 2 + carried, 1 + carried);
    Node trip = Node.parameter(names.take(body.name() + "trip"), Optional.of(DType.INT64));
    Node condition = Node.parameter(names.take(body.name() + "condition"), Optional.of(DType.BOOL));
    List<Node> parameters = new ArrayList<>(List.of(trip, condition));
    List<NodeEntry> formals = new ArrayList<>(List.of(ofDeclaredRank(body, 0, trip), ofDeclaredRank(body, 1,
      condition)));
    for (int i = 2; i < body.inputs().size(); i++) {
      parameters.add(formal(body, i));
      formals.add(parameters.getLast().entry());
    }
    List<String> captured = captured(body);
    Graph graph = outer.body(body, parameters, formals, captured);
    List<NodeKind.Repeat.Slices> stacked = slices(new long[0], new long[0], body.outputs().size() - 1 - carried);
    List<NodeEntry> operands = new ArrayList<>();
    for (int i = 0; i < 2 + carried; i++) {
      operands.add(input(i));
    }
    captured.forEach(value -> operands.add(outer.made(value)));
    return Node.control(name, new NodeKind.Repeat(graph, carried, List.of(), stacked), operands);
  }

  private Node scan(Attributes attributes) {
    FlatBody body = body("body");
    int scanned = (int) attributes.getLong("num_scan_inputs", 0);
    int carried = node.inputs().size() - scanned;
    if (scanned < 1 || carried < 0) {
      throw new IllegalArgumentException("wrong number of scanned inputs: num_scan_inputs=%d inputs=%d".formatted(
        scanned, node.inputs().size()));
    }
    requireCounts(body, node.inputs().size(), carried);
    Node trip = Node.parameter(names.take(body.name() + "trip"), Optional.of(DType.INT64));
    Node condition = Node.parameter(names.take(body.name() + "condition"), Optional.of(DType.BOOL));
    List<Node> parameters = new ArrayList<>(List.of(trip, condition));
    List<NodeEntry> formals = new ArrayList<>();
    for (int i = 0; i < body.inputs().size(); i++) {
      parameters.add(formal(body, i));
      formals.add(parameters.getLast().entry());
    }
    List<String> captured = captured(body);
    Graph inner = outer.body(body, parameters, formals, captured);
    List<Graph.Output> outputs = new ArrayList<>(List.of(new Graph.Output("condition", condition.entry())));
    outputs.addAll(inner.outputs());
    var kind = new NodeKind.Repeat(new Graph(inner.name(), inner.inputs(), outputs), carried,
      slices(attributes.getLongs(
        "scan_input_axes"), attributes.getLongs("scan_input_directions"), scanned),
      slices(attributes.getLongs(
        "scan_output_axes"), attributes.getLongs("scan_output_directions"), body.outputs().size() - carried));
    List<NodeEntry> operands = new ArrayList<>(List.of(Node.absent(), Node.absent()));
    for (int i = 0; i < node.inputs().size(); i++) {
      operands.add(input(i));
    }
    captured.forEach(value -> operands.add(outer.made(value)));
    return Node.control(name, kind, operands);
  }

  private static void requireCounts(FlatBody body, int inputs, int leastOutputs) {
    if (body.inputs().size() != inputs || body.outputs().size() < leastOutputs) {
      throw new IllegalArgumentException(
        "a body has the wrong number of inputs or results: inputs=%d wanted=%d results=%d least=%d".formatted(body
          .inputs().size(), inputs, body.outputs().size(), leastOutputs));
    }
  }

  private Node formal(FlatBody body, int index) {
    TypeProto.Tensor type = body.graph().getInput(index).getType().getTensorType();
    return Node.parameter(names.take(body.name() + body.inputs().get(index)), ElementTypes.find(type.getElemType()));
  }

  /** The number of a trip and the condition are scalars; some models declare one dimension. */
  private NodeEntry ofDeclaredRank(FlatBody body, int index, Node parameter) {
    ValueInfoProto declared = body.graph().getInput(index);
    if (declared.getType().getTensorType().getShape().getDimCount() != 1) {
      return parameter.entry();
    }
    NodeEntry axes = Node.constant(names.take(parameter.name() + "/axes"), TensorView.ofLongs(0)).entry();
    return Node.apply(names.take(parameter.name() + "/Unsqueeze"), "Unsqueeze", Attributes.NONE, List.of(parameter
      .entry(), axes)).entry();
  }

  private static List<NodeKind.Repeat.Slices> slices(long[] axes, long[] directions, int count) {
    if ((axes.length != 0 && axes.length != count) || (directions.length != 0 && directions.length != count)) {
      throw new IllegalArgumentException(
        "one axis and one direction for each: wanted=%d axes=%d directions=%d".formatted(
          count, axes.length, directions.length));
    }
    List<NodeKind.Repeat.Slices> slices = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      slices.add(new NodeKind.Repeat.Slices(axes.length == 0 ? 0 : axes[i], directions.length != 0
        && directions[i] != 0));
    }
    return slices;
  }
}
