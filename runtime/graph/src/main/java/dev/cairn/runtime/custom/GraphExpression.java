package dev.cairn.runtime.custom;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConstantForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a graph on which functions are called: each makes a node.
 *
 * @param names gives a node of an operator its name
 */
record GraphExpression(NodeEntry entry, UnaryOperator<String> names) implements Expression<GraphExpression> {
  @Override
  public List<GraphExpression> apply(String operator, Attributes attributes, int results,
    List<@Nullable GraphExpression> operands) {
    if (operator.equals(CONSTANT)
      && ConstantForm.of(attributes).value() instanceof AttributeValue.Tensor(var value)) {
      return List.of(new GraphExpression(Node.constant(names.apply("constant"), value).entry(), names));
    }
    List<NodeEntry> inputs = new ArrayList<>();
    for (GraphExpression operand : operands) {
      inputs.add(operand == null ? Node.absent() : operand.entry);
    }
    while (!inputs.isEmpty() && inputs.getLast().isAbsent()) {
      inputs.removeLast();
    }
    Node node = Node.apply(names.apply(operator), new NodeKind.Apply(operator, attributes, results), inputs);
    return GraphRewriter.entries(node).stream().map(it -> new GraphExpression(it, names)).toList();
  }

  /** The element type is not known yet, so the number is converted once it is. */
  @Override
  public GraphExpression scalar(Number value) {
    boolean isReal = value instanceof Double || value instanceof Float;
    TensorView given = isReal
      ? new TensorView(new TensorType(DType.FLOAT64, Shape.SCALAR), MemorySegment.ofArray(new double[] {value
        .doubleValue()}))
      : TensorView.ofLong(value.longValue());
    return constant(given).call("CastLike", Attributes.NONE, this);
  }
}
