package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.CropForm;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.ResizeForm;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Gradients of operators that sample images at other positions. */
public final class ImageGradients {
  private ImageGradients() {}

  /**
   * The gradient of a grid, which is the product of its points and the transformation. The points are the grid of the
   * identity, with a one added to each.
   */
  public static void affineGrid(GradientContext g) {
    Shape theta = g.operandShape(0);
    long axes = theta.extent(1);
    long[] size = g.operandLongs(1);
    long points = g.resultType(0).shape().elementCount(1, (int) axes + 1);
    GradientExpression zeros = g.filled(g.operandType(0).withShape(Shape.of(axes, axes + 1)), 0);
    GradientExpression identity = g.apply(Operators.EYE_LIKE, zeros).reshape(Shape.of(1, axes, axes + 1));
    size[0] = 1;
    GradientExpression grid = g.again(g.attributes(), identity, g.longs(size))
      .reshape(Shape.of(points, axes));
    GradientExpression ones = g.filled(g.operandType(0).withShape(Shape.of(points, 1)), 1);
    GradientExpression homogeneous = grid.concat(1, List.of(ones));
    GradientExpression head = g.head().reshape(Shape.of(theta.extent(0), points, axes)).transpose(0, 2, 1);
    g.give(0, head.matmul(homogeneous));
  }

  /** A cropped part gets zeros, and padding is cropped. */
  public static void centerCropPad(GradientContext g) {
    Shape x = g.operandShape(0);
    long[] axes = CropForm.of(g.attributes()).axes(x.rank());
    long[] extents = LongStream.of(axes).map(axis -> x.extent(x.axis(axis))).toArray();
    g.give(0, g.again(g.attributes(), g.head(), g.longs(extents)));
  }

  public static void gridSample(GradientContext g) {
    List<GradientExpression> gradients = g.applyAll("GridSampleGradient", g.attributes(), 2,
      List.of(g.head(), g.operand(0), g.operand(1)));
    g.give(0, gradients.get(0));
    g.give(1, gradients.get(1));
  }

  /** Only the images have a gradient, as in torchvision. */
  public static void regions(GradientContext g) {
    if (g.wanted(1)) {
      throw g.gap("regions have no gradient; put StopGradient before them");
    }
    g.give(0, g.apply("RoiAlignGradient", g.attributes(), g.head(), g.operand(0), g.operand(1), g.operand(2)));
  }

  /** Resizing one axis is a product with a matrix, the resized identity; a product with its transpose goes back. */
  public static void resize(GradientContext g) {
    ResizeForm form = ResizeForm.of(g.attributes());
    if (form.crops()) {
      throw g.gap("tf_crop_and_resize has none yet");
    }
    if (!form.stretches()) {
      throw g.gap("write the sizes of the result, or scales, and no keep_aspect_ratio_policy");
    }
    Shape x = g.operandShape(0);
    if (!g.wanted(0) || x.elementCount() == 0) {
      return;
    }
    long[] axes = form.axes(x.rank());
    boolean isScaled = g.hasOperand(2) && g.operandShape(2).elementCount() > 0;
    GradientExpression gradient = g.head();
    for (int i = 0; i < axes.length; i++) {
      int axis = x.axis(axes[i]);
      if (isScaled) {
        double scale = g.operandValue(2).orElseThrow(() -> g.gap("only a run knows its scales")).doubleAt(i);
        gradient = scale == 1 ? gradient : back(gradient, axis, matrix(g, axis, g.list(DType.FLOAT32, scale)));
      } else if (x.extent(axis) != g.resultType(0).shape().extent(axis)) {
        gradient = back(gradient, axis, matrix(g, axis, null, g.longs(g.resultType(0).shape().extent(
          axis))));
      }
    }
    g.give(0, gradient);
  }

  /** A row for each element along the axis, a column for each of the result. */
  private static GradientExpression matrix(GradientContext g, int axis,
    @Nullable GradientExpression... size) {
    long extent = g.operandShape(0).extent(axis);
    GradientExpression identity = g.apply(Operators.EYE_LIKE,
      g.filled(g.operandType(0).withShape(Shape.of(extent, extent)), 0));
    Attributes alone = g.attributes().with("axes", AttributeValue.Ints.of(1));
    List<@Nullable GradientExpression> operands = new ArrayList<>(Arrays.asList(identity, null));
    operands.addAll(Arrays.asList(size));
    return g.applyAll(g.operator(), alone, 1, operands).getFirst();
  }

  private static GradientExpression back(GradientExpression h, int axis, GradientExpression matrix) {
    int last = h.shape().rank() - 1;
    if (axis == last - 1) {
      return matrix.matmul(h);
    }
    long[] order = LongStream.rangeClosed(0, last).toArray();
    order[axis] = last;
    order[last] = axis;
    return h.transpose(order).matmul(matrix.transpose(1, 0)).transpose(order);
  }
}
