package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConstantForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.expression.OperatorCalls;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a graph with gradients, on which gradient rules call functions. Each function makes a node, whose type is
 * known at once. A function that would change nothing, such as a product with the number 1, returns the expression
 * itself.
 *
 * @param owner the forward node; the names of new nodes begin with its name
 */
public record GradientExpression(NodeEntry entry, Node owner, GradientNodes nodes)
  implements
    Expression<GradientExpression> {

  public TensorType type() {
    return nodes.type(entry);
  }

  public Shape shape() {
    return type().shape();
  }

  private GradientExpression of(NodeEntry other) {
    return new GradientExpression(other, owner, nodes);
  }

  @Override
  public List<GradientExpression> apply(String operator, Attributes attributes, int results,
    List<@Nullable GradientExpression> operands) {
    if (operator.equals(OperatorCalls.CONSTANT)
      && ConstantForm.of(attributes).value() instanceof AttributeValue.Tensor(TensorView value)) {
      return List.of(of(nodes.constant(owner, value)));
    }
    List<NodeEntry> inputs = new ArrayList<>();
    operands.forEach(it -> inputs.add(it == null ? Node.absent() : it.entry));
    return nodes.apply(owner, new NodeKind.Apply(operator, attributes, results), inputs).stream().map(this::of)
      .toList();
  }

  @Override
  public GradientExpression scalar(Number value) {
    return of(nodes.scalar(owner, type().dtype(), value.doubleValue()));
  }

  /** A list of whole numbers, such as axes or a shape. Equal lists are one node. */
  @Override
  public GradientExpression longs(long... values) {
    return of(nodes.longs(owner, values));
  }

  @Override
  public GradientExpression mul(Number factor) {
    return factor.doubleValue() == 1 ? this : mul(scalar(factor));
  }

  @Override
  public GradientExpression div(Number divisor) {
    return divisor.doubleValue() == 1 ? this : div(scalar(divisor));
  }

  /** {@code 1 - x}. */
  public GradientExpression oneMinus() {
    return scalar(1).sub(this);
  }

  /** The other expression where this condition holds, and 0 elsewhere. */
  public GradientExpression where(GradientExpression then) {
    return where(then, then.scalar(0));
  }

  @Override
  public GradientExpression astype(DType dtype) {
    return type().dtype() == dtype ? this : Expression.super.astype(dtype);
  }

  /** The same elements under another shape. */
  public GradientExpression reshape(Shape shape) {
    return shape().equals(shape) ? this : reshape(shape.extents());
  }

  /** Stretched to a shape. */
  public GradientExpression broadcastTo(Shape shape) {
    return shape().equals(shape) ? this : broadcastTo(shape.extents());
  }

  /** The sum over some axes, which stay with extent 1. */
  public GradientExpression sumOver(long... axes) {
    return axes.length == 0 ? this : sumKept(longs(axes));
  }

  /** Axis {@code i} of the result is this one's axis {@code order[i]}. */
  public GradientExpression transpose(long... order) {
    boolean stays = IntStream.range(0, order.length).allMatch(it -> order[it] == it);
    return stays ? this : transpose(Arrays.stream(order).mapToInt(Math::toIntExact).toArray());
  }

  /** Every step-th element of one axis; a negative step walks backwards. */
  public GradientExpression slice(int axis, long start, long end, long step) {
    return slice(longs(start), longs(end), longs(axis), longs(step));
  }

  /** Zeros before and after each axis, begins first; negative numbers crop. */
  @Override
  public GradientExpression pad(long... pads) {
    return Arrays.stream(pads).allMatch(it -> it == 0) ? this : Expression.super.pad(pads);
  }

  /** Takes back what broadcasting to this expression's shape has done: sums over axes that were stretched. */
  public GradientExpression fit(Shape shape) {
    Shape from = shape();
    int lead = from.rank() - shape.rank();
    List<Long> axes = new ArrayList<>();
    for (int axis = 0; axis < from.rank(); axis++) {
      long wanted = axis < lead ? 1 : shape.extent(axis - lead);
      if (from.extent(axis) != wanted) {
        axes.add((long) axis);
      }
    }
    return sumOver(axes.stream().mapToLong(Long::longValue).toArray()).reshape(shape);
  }
}
