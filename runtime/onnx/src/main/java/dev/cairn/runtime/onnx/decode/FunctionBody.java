package dev.cairn.runtime.onnx.decode;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.custom.CompositeOperator;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.onnx.proto.AttributeProto;
import dev.cairn.runtime.onnx.proto.FunctionProto;
import dev.cairn.runtime.onnx.proto.GraphProto;
import dev.cairn.runtime.onnx.proto.ModelProto;
import dev.cairn.runtime.onnx.proto.NodeProto;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The operators of a function. It is decoded like a model that calls the function once, for each set of attributes and
 * omitted inputs; the results are remembered.
 */
final class FunctionBody implements CompositeOperator.Body {
  private static final int MOST_REMEMBERED = 256;

  private final ModelMessage source;
  private final ModelProto model;
  private final FunctionProto function;
  private final OperatorTable operators;
  private final Function<Attributes, List<AttributeProto>> encoder;
  private final Map<Use, Graph> graphs = new ConcurrentHashMap<>();

  private record Use(Attributes attributes, List<Boolean> given) {}

  FunctionBody(ModelMessage source, ModelProto model, FunctionProto function, OperatorTable operators,
    Function<Attributes, List<AttributeProto>> encoder) {
    this.source = source;
    this.model = model;
    this.function = function;
    this.operators = operators;
    this.encoder = encoder;
  }

  @Override
  public <T extends Expression<T>> List<T> apply(List<@Nullable T> inputs, Attributes attributes) {
    T any = inputs.stream().filter(Objects::nonNull).findFirst().orElseThrow(() -> new IllegalArgumentException(
      "a function needs an input: function=" + function.getName()));
    var use = new Use(attributes, inputs.stream().map(Objects::nonNull).toList());
    if (graphs.size() > MOST_REMEMBERED) {
      graphs.clear();
    }
    Graph graph = graphs.computeIfAbsent(use, this::decoded);
    Map<NodeEntry, T> values = new HashMap<>();
    int parameter = 0;
    for (T input : inputs) {
      if (input != null) {
        values.put(graph.inputs().get(parameter++).entry(), input);
      }
    }
    graph.nodes().forEach(node -> run(node, any, values));
    return graph.outputs().stream().map(output -> Objects.requireNonNull(values.get(output.entry()))).toList();
  }

  private static <T extends Expression<T>> void run(Node node, T any, Map<NodeEntry, T> values) {
    switch (node.kind()) {
      case NodeKind.Parameter _ -> {}
      case NodeKind.Constant(var value) -> values.put(node.entry(), any.constant(value));
      case NodeKind.Apply(String operator, Attributes attributes, int outputs) -> {
        List<@Nullable T> operands = new ArrayList<>();
        node.inputs().forEach(input -> operands.add(values.get(input)));
        List<T> results = any.apply(operator, attributes, outputs, operands);
        for (int i = 0; i < outputs; i++) {
          values.put(node.entry(i), results.get(i));
        }
      }
      default -> throw new IllegalArgumentException("a function with control flow cannot be an operator: node=%s "
        .formatted(node.name()) + "operator=" + node.operator());
    }
  }

  private Graph decoded(Use use) {
    use.attributes.asMap().forEach((name, value) -> {
      if (value instanceof AttributeValue.Tensor) {
        throw new IllegalArgumentException("a function's attribute cannot be a tensor: attribute=" + name);
      }
    });
    List<String> inputs = IntStream.range(0, use.given.size()).mapToObj(i -> use.given.get(i) ? "x" + i : "").toList();
    List<String> outputs = IntStream.range(0, function.getOutputCount()).mapToObj(i -> "y" + i).toList();
    NodeProto call = NodeProto.newBuilder().setName("call").setDomain(function.getDomain())
      .setOpType(function.getName())
      .addAllInput(inputs).addAllOutput(outputs).addAllAttribute(encoder.apply(use.attributes)).build();
    GraphProto alone = GraphProto.newBuilder().setName(function.getName()).addNode(call).build();
    ModelProto caller = model.toBuilder().setGraph(alone).build();
    List<FlatNode> nodes = UnreadResults.dropped(FunctionInliner.inline(caller, source), outputs);
    GapFinder.requireNone(caller, nodes, operators);
    List<String> given = inputs.stream().filter(it -> !it.isEmpty()).toList();
    List<Node> parameters = given.stream().map(it -> Node.parameter(it, Optional.empty())).toList();
    var body = new FlatBody(function.getName() + "/", alone, given, List.of(), nodes, outputs);
    return new GraphAssembler(source, operators).body(body, parameters, parameters.stream().map(Node::entry).toList(),
      List.of());
  }
}
