package dev.cairn.runtime.train;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConstantForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.expression.OperatorCalls;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Scalars;
import dev.cairn.runtime.operator.family.StandardOperators;
import dev.cairn.runtime.operator.partial.ResultElement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a graph that is being built, as an expression: the formulas of optimizers add their nodes by it.
 *
 * @param builder in the scope of the new nodes
 * @param dtype the entry's element type, which numbers take
 */
record EntryExpression(GraphBuilder builder, NodeEntry entry, DType dtype) implements Expression<EntryExpression> {
  @Override
  public List<EntryExpression> apply(String operator, Attributes attributes, int results,
    List<@Nullable EntryExpression> operands) {
    if (operator.equals(OperatorCalls.CONSTANT)
      && ConstantForm.of(attributes).value() instanceof AttributeValue.Tensor(TensorView value)) {
      return List.of(new EntryExpression(builder, builder.constant("constant", value), value.dtype()));
    }
    List<NodeEntry> inputs = new ArrayList<>();
    operands.forEach(it -> inputs.add(it == null ? Node.absent() : it.entry));
    return builder.applyForAll(operator, attributes, results, inputs.toArray(NodeEntry[]::new)).stream().map(
      it -> new EntryExpression(builder, it, resultType(operator, it, operands))).toList();
  }

  /** The type that the operator tells of a result, or else that of the first operand. */
  private DType resultType(String operator, NodeEntry result, List<@Nullable EntryExpression> operands) {
    Map<NodeEntry, DType> known = new HashMap<>();
    for (EntryExpression operand : operands) {
      if (operand != null) {
        known.put(operand.entry, operand.dtype);
      }
    }
    EntryExpression first = operands.getFirst();
    return ResultElement.of(StandardOperators.table().facts(operator).partial(), result, it -> Optional.ofNullable(known
      .get(it))).orElse(first == null ? dtype : first.dtype);
  }

  @Override
  public EntryExpression scalar(Number value) {
    return new EntryExpression(builder, builder.constant("scalar", Scalars.of(dtype, value)), dtype);
  }

  /** The same entry with nodes in another scope. */
  EntryExpression within(GraphBuilder other) {
    return new EntryExpression(other, entry, dtype);
  }
}
