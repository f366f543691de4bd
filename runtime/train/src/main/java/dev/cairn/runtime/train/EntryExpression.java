package dev.cairn.runtime.train;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.CastForm;
import dev.cairn.kernels.attribute.ConstantForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.expression.OperatorCalls;
import dev.cairn.runtime.graph.GraphBuilder;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.Scalars;
import dev.cairn.runtime.operator.OperatorTrait;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
    DType type = resultType(operator, attributes, operands);
    return builder.applyForAll(operator, attributes, results, inputs.toArray(NodeEntry[]::new)).stream().map(
      it -> new EntryExpression(builder, it, type)).toList();
  }

  /** The type of a formula's result: that of the first operand, but for comparisons, casts and choices. */
  private DType resultType(String operator, Attributes attributes, List<@Nullable EntryExpression> operands) {
    if (StandardOperators.table().facts(operator).has(OperatorTrait.COMPARES)) {
      return DType.BOOL;
    }
    if (operator.equals("Cast")) {
      return DType.valueOf(CastForm.of(attributes).to().toUpperCase(Locale.ROOT));
    }
    EntryExpression typed = operands.get(operator.equals("Where") ? 1 : 0);
    return typed == null ? dtype : typed.dtype;
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
