package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.PadForm;
import dev.cairn.kernels.tensor.Shape;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The gradient of {@code Pad}: the head over the data, plus that over padding that copies elements of the data.
 */
public final class PadGradient {
  private PadGradient() {}

  public static void build(GradientContext g) {
    long[] pads = pads(g);
    long[] back = Arrays.stream(pads).map(it -> -it).toArray();
    String mode = PadForm.of(g.attributes()).mode();
    if (!mode.equals("constant")) {
      g.give(0, copied(g, mode, pads));
      return;
    }
    GradientExpression inside = g.head().pad(back);
    g.give(0, inside);
    if (g.wanted(2)) {
      long[] all = LongStream.range(0, g.operandShape(0).rank()).toArray();
      g.give(2, g.head().sumOver(all).sub(inside.sumOver(all)).reshape(g.operandShape(2)));
    }
  }

  /** The elements before and behind every axis. */
  private static long[] pads(GradientContext g) {
    int rank = g.operandShape(0).rank();
    long[] given = g.operandLongs(1);
    if (!g.hasOperand(3)) {
      return given;
    }
    long[] axes = g.operandLongs(3);
    long[] pads = new long[2 * rank];
    for (int i = 0; i < axes.length; i++) {
      int axis = g.operandShape(0).axis(axes[i]);
      pads[axis] = given[i];
      pads[rank + axis] = given[axes.length + i];
    }
    return pads;
  }

  /** Axis by axis, the last one first: an axis is padded over what those before it have made. */
  private static GradientExpression copied(GradientContext g, String mode, long[] pads) {
    Shape shape = g.operandShape(0);
    GradientExpression gradient = g.head();
    for (int axis = shape.rank() - 1; axis >= 0; axis--) {
      long begin = pads[axis];
      long end = pads[shape.rank() + axis];
      long kept = shape.extent(axis) + Math.min(0, begin) + Math.min(0, end);
      gradient = axis(g, gradient, mode, new Axis(axis, Math.max(0, begin), kept, Math.max(0, end)));
      gradient = placed(gradient, axis, -Math.min(0, begin), -Math.min(0, end));
    }
    return gradient;
  }

  /** An axis with its numbers of elements before, in and behind the data. */
  private record Axis(int index, long begin, long kept, long end) {}

  private static GradientExpression axis(GradientContext g, GradientExpression gradient, String mode, Axis axis) {
    if (axis.begin == 0 && axis.end == 0) {
      return gradient;
    }
    long most = mode.equals("edge") ? Long.MAX_VALUE : mode.equals("wrap") ? axis.kept : axis.kept - 1;
    if (axis.begin > most || axis.end > most) {
      throw g.gap("more is padded than there are elements: mode=" + mode);
    }
    GradientExpression sum = gradient.slice(axis.index, axis.begin, axis.begin + axis.kept, 1);
    if (axis.begin > 0) {
      GradientExpression before = gradient.slice(axis.index, 0, axis.begin, 1);
      sum = sum.add(switch (mode) {
        case "edge" -> placed(before.sumOver(axis.index), axis.index, 0, axis.kept - 1);
        case "wrap" -> placed(before, axis.index, axis.kept - axis.begin, 0);
        default -> placed(reversed(before, axis.index), axis.index, 1, axis.kept - 1 - axis.begin);
      });
    }
    if (axis.end > 0) {
      GradientExpression behind = gradient.slice(axis.index, axis.begin + axis.kept, axis.begin + axis.kept + axis.end,
        1);
      sum = sum.add(switch (mode) {
        case "edge" -> placed(behind.sumOver(axis.index), axis.index, axis.kept - 1, 0);
        case "wrap" -> placed(behind, axis.index, 0, axis.kept - axis.end);
        default -> placed(reversed(behind, axis.index), axis.index, axis.kept - 1 - axis.end, 1);
      });
    }
    return sum;
  }

  private static GradientExpression reversed(GradientExpression entry, int axis) {
    return entry.slice(axis, -1, Long.MIN_VALUE, -1);
  }

  /** A tensor with zeros before and behind along one axis. */
  private static GradientExpression placed(GradientExpression entry, int axis, long before, long behind) {
    int rank = entry.shape().rank();
    long[] pads = new long[2 * rank];
    pads[axis] = before;
    pads[rank + axis] = behind;
    return entry.pad(pads);
  }
}
