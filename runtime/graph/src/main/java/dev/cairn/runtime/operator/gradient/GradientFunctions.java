package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The functions that build the nodes of one forward node's gradient, over {@link GradientNodes}. */
public abstract class GradientFunctions {
  final Node node;
  final GradientNodes nodes;

  GradientFunctions(Node node, GradientNodes nodes) {
    this.node = node;
    this.nodes = nodes;
  }

  public TensorType type(NodeEntry entry) {
    return nodes.type(entry);
  }

  public Shape shape(NodeEntry entry) {
    return type(entry).shape();
  }

  /** Applies an operator without attributes; returns its first result. */
  public NodeEntry apply(String operator, NodeEntry... operands) {
    return apply(operator, Attributes.NONE, operands);
  }

  /** Applies an operator; returns its first result. */
  public NodeEntry apply(String operator, Attributes attributes, NodeEntry... operands) {
    return applyAll(operator, attributes, 1, List.of(operands)).getFirst();
  }

  /** Applies an operator with several results. */
  public List<NodeEntry> applyAll(String operator, Attributes attributes, int results, List<NodeEntry> operands) {
    return nodes.apply(node, new NodeKind.Apply(operator, attributes, results), operands);
  }

  /** A list of whole numbers, such as axes or a shape. */
  public NodeEntry longs(long... values) {
    return nodes.longs(node, values);
  }

  /** A list of one number, such as a scale. */
  public NodeEntry list(DType dtype, double value) {
    return nodes.list(node, dtype, value);
  }

  /** A number of the entry's element type and of rank 0. */
  public NodeEntry scalarLike(NodeEntry entry, double value) {
    return nodes.scalar(node, type(entry).dtype(), value);
  }

  /** A tensor of which all elements are one number. */
  public NodeEntry filled(TensorType type, double value) {
    return nodes.filled(node, type, value);
  }

  public NodeEntry add(NodeEntry left, NodeEntry right) {
    return apply("Add", left, right);
  }

  public NodeEntry add(NodeEntry left, double right) {
    return add(left, scalarLike(left, right));
  }

  public NodeEntry sub(NodeEntry left, NodeEntry right) {
    return apply("Sub", left, right);
  }

  public NodeEntry mul(NodeEntry left, NodeEntry right) {
    return apply("Mul", left, right);
  }

  /** The entry itself for 1. */
  public NodeEntry mul(NodeEntry left, double right) {
    return right == 1 ? left : mul(left, scalarLike(left, right));
  }

  public NodeEntry div(NodeEntry left, NodeEntry right) {
    return apply("Div", left, right);
  }

  public NodeEntry div(NodeEntry left, double right) {
    return right == 1 ? left : div(left, scalarLike(left, right));
  }

  public NodeEntry neg(NodeEntry entry) {
    return apply("Neg", entry);
  }

  public NodeEntry square(NodeEntry entry) {
    return mul(entry, entry);
  }

  /** {@code 1 - entry}. */
  public NodeEntry oneMinus(NodeEntry entry) {
    return sub(scalarLike(entry, 1), entry);
  }

  public NodeEntry where(NodeEntry condition, NodeEntry yes, NodeEntry no) {
    return apply("Where", condition, yes, no);
  }

  /** The entry where the condition holds, and 0 elsewhere. */
  public NodeEntry where(NodeEntry condition, NodeEntry yes) {
    return where(condition, yes, scalarLike(yes, 0));
  }

  /** Compares with a number; the operator is {@code Greater}, {@code Less}, {@code Equal} and so on. */
  public NodeEntry compare(String operator, NodeEntry left, double right) {
    return apply(operator, left, scalarLike(left, right));
  }

  /** The entry in another element type; the entry itself if it has this type. */
  public NodeEntry cast(NodeEntry entry, DType dtype) {
    if (type(entry).dtype() == dtype) {
      return entry;
    }
    return apply("Cast", Attributes.NONE.with("to", new AttributeValue.Text(dtype.toString())), entry);
  }

  /** The entry under another shape; the entry itself if it has this shape. */
  public NodeEntry reshape(NodeEntry entry, Shape shape) {
    if (shape(entry).equals(shape)) {
      return entry;
    }
    return apply("Reshape", Attributes.NONE.with("allowzero", 1), entry, longs(shape.extents()));
  }

  /** The entry stretched to a shape; the entry itself if it has this shape. */
  public NodeEntry expand(NodeEntry entry, Shape shape) {
    return shape(entry).equals(shape) ? entry : apply("Expand", entry, longs(shape.extents()));
  }

  /** The sum over some axes, which stay with extent 1; the entry itself for no axes. */
  public NodeEntry sum(NodeEntry entry, long... axes) {
    return axes.length == 0 ? entry : apply("ReduceSum", entry, longs(axes));
  }

  /** The entry with its axes in another order; the entry itself if the order stays. */
  public NodeEntry transpose(NodeEntry entry, long... order) {
    for (int i = 0; i < order.length; i++) {
      if (order[i] != i) {
        return apply("Transpose", Attributes.NONE.with("perm", AttributeValue.Ints.of(order)), entry);
      }
    }
    return entry;
  }

  /** Every step-th element of one axis; a negative step walks backwards. */
  public NodeEntry slice(NodeEntry entry, int axis, long start, long end, long step) {
    return apply("Slice", entry, longs(start), longs(end), longs(axis), longs(step));
  }

  /** Zeros before and after each axis, begins first; negative numbers crop. The entry itself where there are none. */
  public NodeEntry pad(NodeEntry entry, long... pads) {
    return Arrays.stream(pads).allMatch(it -> it == 0) ? entry : apply("Pad", entry, longs(pads));
  }

  /** Takes back what broadcasting to the entry's shape has done: sums over axes that were stretched. */
  public NodeEntry fit(NodeEntry entry, Shape shape) {
    Shape from = shape(entry);
    int lead = from.rank() - shape.rank();
    List<Long> axes = new ArrayList<>();
    for (int axis = 0; axis < from.rank(); axis++) {
      long wanted = axis < lead ? 1 : shape.extent(axis - lead);
      if (from.extent(axis) != wanted) {
        axes.add((long) axis);
      }
    }
    return reshape(sum(entry, axes.stream().mapToLong(Long::longValue).toArray()), shape);
  }
}
