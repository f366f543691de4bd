package dev.cairn.runtime.expression;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConstantForm;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.Scalars;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a graph on which functions are called: each makes a node. All code that builds graphs, such as passes,
 * expansions and models in Java, names operators by these functions:
 *
 * <pre>
 * GraphExpression x = GraphExpression.of(builder, input);
 * NodeEntry y = x.matmul(weight).add(bias).relu().entry();
 * </pre>
 *
 * @param maker makes the nodes of the functions called on this expression, not of those called on its operands
 */
public record GraphExpression(NodeEntry entry, NodeMaker maker) implements Expression<GraphExpression> {
  public static GraphExpression of(GraphBuilder builder, NodeEntry entry) {
    return new GraphExpression(entry, NodeMaker.of(builder));
  }

  /** The same entry, whose functions make nodes in another way. */
  public GraphExpression by(NodeMaker other) {
    return new GraphExpression(entry, other);
  }

  /** All results of the node that made this entry. */
  public List<NodeEntry> results() {
    return entry.node().entries();
  }

  @Override
  public List<GraphExpression> apply(String operator, Attributes attributes, int results,
    List<@Nullable GraphExpression> operands) {
    if (operator.equals(CONSTANT)
      && ConstantForm.of(attributes).value() instanceof AttributeValue.Tensor(var value)) {
      return List.of(new GraphExpression(maker.constant(value), maker));
    }
    List<NodeEntry> inputs = new ArrayList<>();
    for (GraphExpression operand : operands) {
      inputs.add(operand == null ? Node.absent() : operand.entry);
    }
    while (!inputs.isEmpty() && inputs.getLast().isAbsent()) {
      inputs.removeLast();
    }
    return maker.apply(new NodeKind.Apply(operator, attributes, results), inputs).stream().map(
      it -> new GraphExpression(it, maker)).toList();
  }

  /** Makes a constant of the number, converted to this expression's type when that is known. */
  @Override
  public GraphExpression scalar(Number value) {
    return constant(Scalars.asWritten(value)).castLike(this);
  }
}
