package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.BlockForm;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.TransposeForm;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.SliceRange;
import java.util.ArrayList;
import java.util.List;

/** Gradients of operators that put elements at other places: they put them back, and add up what was copied. */
public final class MovementGradients {
  private MovementGradients() {}

  /** The elements stay in their order, under another shape. */
  public static void reshaped(GradientContext g) {
    g.give(0, g.head().reshape(g.operandShape(0)));
  }

  public static void spaceToDepth(GradientContext g) {
    g.give(0, g.apply(Operators.DEPTH_TO_SPACE, blocks(g), g.head()));
  }

  public static void transpose(GradientContext g) {
    long[] order = TransposeForm.of(g.attributes()).order(g.operandShape(0).rank());
    g.give(0, g.head().transpose(inverse(order)));
  }

  /** Takes the same triangle of the head. */
  public static void triangle(GradientContext g) {
    g.give(0, g.hasOperand(1)
      ? g.again(g.attributes(), g.head(), g.operand(1))
      : g.again(g.attributes(), g.head()));
  }

  /** The order that takes another one back. */
  static long[] inverse(long[] order) {
    long[] inverse = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      inverse[(int) order[i]] = i;
    }
    return inverse;
  }

  public static void concat(GradientContext g) {
    int axis = g.operandShape(0).axis(AxisForm.ofParts(g.attributes()).axis());
    long start = 0;
    for (int i = 0; i < g.operands(); i++) {
      long end = start + g.operandShape(i).extent(axis);
      if (g.wanted(i)) {
        g.give(i, g.operands() == 1 ? g.head() : g.head().slice(axis, start, end, 1));
      }
      start = end;
    }
  }

  /** Puts zeros in place of the parts that no gradient flows to. */
  public static void split(GradientContext g) {
    List<GradientExpression> parts = new ArrayList<>();
    for (int i = 0; i < g.results(); i++) {
      GradientExpression head = g.head(i);
      parts.add(head == null ? g.filled(g.resultType(i), 0) : head);
    }
    int axis = (int) AxisForm.ofParts(g.attributes()).axis();
    g.give(0, parts.getFirst().concat(axis, parts.subList(1, parts.size())));
  }

  /** Splits each axis into copies and extent, and adds the copies up. */
  public static void tile(GradientContext g) {
    long[] extents = g.operandShape(0).extents();
    long[] repeats = g.operandLongs(1);
    long[] apart = new long[2 * extents.length];
    List<Long> copies = new ArrayList<>();
    for (int axis = 0; axis < extents.length; axis++) {
      apart[2 * axis] = repeats[axis];
      apart[2 * axis + 1] = extents[axis];
      if (repeats[axis] != 1) {
        copies.add(2L * axis);
      }
    }
    GradientExpression sum = g.head().reshape(Shape.of(apart))
      .sumOver(copies.stream().mapToLong(Long::longValue).toArray());
    g.give(0, sum.reshape(g.operandShape(0)));
  }

  private static Attributes blocks(GradientContext g) {
    return Attributes.NONE.with("blocksize", BlockForm.of(g.attributes()).size());
  }

  public static void depthToSpace(GradientContext g) {
    if (BlockForm.of(g.attributes()).isDepthFirst()) {
      g.give(0, g.apply(Operators.SPACE_TO_DEPTH, blocks(g), g.head()));
      return;
    }
    long block = BlockForm.of(g.attributes()).size();
    Shape x = g.operandShape(0);
    GradientExpression apart = g.head()
      .reshape(Shape.of(x.extent(0), x.extent(1) / (block * block), x.extent(2), block, x
        .extent(3), block));
    g.give(0, apart.transpose(0, 1, 3, 5, 2, 4).reshape(x));
  }

  /** Puts zeros between and around the elements that were taken. */
  public static void slice(GradientContext g) {
    long[] starts = g.operandLongs(1);
    long[] named = g.hasOperand(3) ? g.operandLongs(3) : null;
    long[] steps = g.hasOperand(4) ? g.operandLongs(4) : null;
    Shape shape = g.operandShape(0);
    GradientExpression gradient = g.head();
    long[] pads = new long[2 * shape.rank()];
    for (int i = 0; i < starts.length; i++) {
      int axis = named == null ? i : shape.axis(named[i]);
      long step = steps == null ? 1 : steps[i];
      long extent = shape.extent(axis);
      long count = gradient.shape().extent(axis);
      long first = SliceRange.of(starts[i], 0, step, extent).start();
      if (step < 0 && count > 0) {
        gradient = gradient.slice(axis, -1, Long.MIN_VALUE, -1);
        first += (count - 1) * step;
      }
      gradient = apart(gradient, axis, Math.abs(step));
      pads[axis] = count == 0 ? 0 : first;
      pads[shape.rank() + axis] = extent - pads[axis] - gradient.shape().extent(axis);
    }
    g.give(0, gradient.pad(pads));
  }

  /** A tensor with {@code step - 1} zeros behind each element of an axis. */
  private static GradientExpression apart(GradientExpression entry, int axis, long step) {
    if (step == 1) {
      return entry;
    }
    Shape shape = entry.shape();
    Shape column = shape.inserted(axis + 1, 1);
    long[] pads = new long[2 * column.rank()];
    pads[column.rank() + axis + 1] = step - 1;
    GradientExpression padded = entry.reshape(column).pad(pads);
    return padded.reshape(shape.with(axis, shape.extent(axis) * step));
  }
}
