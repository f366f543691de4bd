package dev.cairn.runtime.onnx.decode;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.SequenceForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.notation.UniqueNames;
import dev.cairn.runtime.onnx.proto.TypeProto;
import dev.cairn.runtime.onnx.proto.ValueInfoProto;
import dev.cairn.runtime.onnx.upgrade.ElementTypeTrace;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the node of an {@code If}, {@code Loop}, {@code Scan} or {@code SequenceMap}. Entries that its bodies read from
 * outside become operands; constants are copied into the bodies.
 */
final class ControlAssembler {
  /** From this opset on, {@code Scan} has neither a batch nor lengths. */
  private static final int FIRST_WITHOUT_BATCH = 9;

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
      case "SequenceMap" -> map();
      default -> scan(attributes);
    };
    if (node.outputs().size() > made.kind().outputs()) {
      throw new IllegalArgumentException("a body gives fewer results than its node: node=%d body=%d".formatted(node
        .outputs().size(), made.kind().outputs()));
    }
    return made.entries();
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

  /** The entries that bodies read from outside, without constants. */
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
    int first = node.operator().opset() < FIRST_WITHOUT_BATCH ? 1 : 0;
    int inputs = node.inputs().size() - first;
    int carried = inputs - scanned;
    if (scanned < 1 || carried < 0) {
      throw new IllegalArgumentException("wrong number of scanned inputs: num_scan_inputs=%d inputs=%d".formatted(
        scanned, inputs));
    }
    requireCounts(body, inputs, carried);
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
        "scan_input_axes"), attributes.getLongs(first == 1 ? "directions" : "scan_input_directions"), scanned),
      slices(attributes.getLongs(
        "scan_output_axes"), attributes.getLongs("scan_output_directions"), body.outputs().size() - carried));
    List<NodeEntry> operands = new ArrayList<>(List.of(Node.absent(), Node.absent()));
    for (int i = first; i < node.inputs().size(); i++) {
      operands.add(input(i));
    }
    captured.forEach(value -> operands.add(outer.made(value)));
    return first == 1 ? ofBatch(kind, operands) : Node.control(name, kind, operands);
  }

  /** A scan of opset 8, whose states and scanned values have a batch on axis 0: a scan of each item. */
  private Node ofBatch(NodeKind.Repeat scan, List<NodeEntry> operands) {
    Node trip = Node.parameter(names.take(name + "/item/trip"), Optional.of(DType.INT64));
    Node condition = Node.parameter(names.take(name + "/item/condition"), Optional.of(DType.BOOL));
    List<Node> parameters = new ArrayList<>(List.of(trip, condition));
    List<NodeEntry> inner = new ArrayList<>(List.of(Node.absent(), Node.absent()));
    for (NodeEntry operand : operands.subList(2, operands.size())) {
      parameters.add(Node.parameter(names.take(name + "/item/input"), Optional.of(ElementTypeTrace.of(operand))));
      inner.add(parameters.getLast().entry());
    }
    Node item = Node.control(names.take(name + "/item"), scan, inner);
    List<Graph.Output> outputs = new ArrayList<>(List.of(new Graph.Output("condition", condition.entry())));
    for (int i = 0; i < scan.outputs(); i++) {
      outputs.add(new Graph.Output(i + ":results", item.entry(i)));
    }
    int given = scan.carried() + scan.scanned().size();
    return Node.control(name, new NodeKind.Repeat(new Graph(name + "/item", parameters, outputs), 0, slices(new long[0],
      new long[0], given), slices(new long[0], new long[0], scan.outputs())), operands);
  }

  /** A loop over positions, which appends each result to the sequence of its output. */
  private Node map() {
    FlatBody body = body("body");
    requireCounts(body, node.inputs().size(), 1);
    int results = body.outputs().size();
    Node trip = Node.parameter(names.take(body.name() + "trip"), Optional.of(DType.INT64));
    Node condition = Node.parameter(names.take(body.name() + "condition"), Optional.of(DType.BOOL));
    List<Node> parameters = new ArrayList<>(List.of(trip, condition));
    for (int i = 0; i < results; i++) {
      parameters.add(Node.parameter(names.take(body.name() + "results"), Optional.empty()));
    }
    List<NodeEntry> formals = new ArrayList<>();
    for (int i = 0; i < body.inputs().size(); i++) {
      Node whole = formal(body, i);
      parameters.add(whole);
      formals
        .add(applied("SequenceAt", Attributes.NONE.with(SequenceForm.OR_TENSOR, 1), whole.entry(), trip.entry()));
    }
    List<String> captured = captured(body);
    Graph inner = outer.body(body, parameters, formals, captured);
    List<NodeEntry> operands = new ArrayList<>(List.of(applied("SequenceLength", Attributes.NONE, input(0)), Node
      .absent()));
    for (int i = 0; i < results; i++) {
      NodeEntry result = inner.outputs().get(i).entry();
      DType dtype = ElementTypes.find(TypeDecoder.element(body.graph().getOutput(i).getType()).getTensorType()
        .getElemType()).orElseGet(() -> ElementTypeTrace.of(result));
      operands.add(applied("SequenceEmpty", Attributes.NONE.with("dtype", new AttributeValue.Text(dtype.toString()))));
    }
    for (int i = 0; i < body.inputs().size(); i++) {
      operands.add(input(i));
    }
    captured.forEach(value -> operands.add(outer.made(value)));
    List<Graph.Output> outputs = new ArrayList<>(List.of(new Graph.Output("condition", condition.entry())));
    for (int i = 0; i < results; i++) {
      outputs.add(new Graph.Output(i + ":results", applied("SequenceInsert", Attributes.NONE, parameters.get(2 + i)
        .entry(), inner.outputs().get(i).entry())));
    }
    return Node.control(name, new NodeKind.Repeat(new Graph(inner.name(), inner.inputs(), outputs), results, List.of(),
      List.of()), operands);
  }

  private NodeEntry applied(String operator, Attributes attributes, NodeEntry... inputs) {
    return Node.apply(names.take(name + "/" + operator), operator, attributes, List.of(inputs)).entry();
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
    return Node
      .apply(names.take(parameter.name() + "/Unsqueeze"), Operators.UNSQUEEZE, Attributes.NONE, List.of(parameter
        .entry(), axes))
      .entry();
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
