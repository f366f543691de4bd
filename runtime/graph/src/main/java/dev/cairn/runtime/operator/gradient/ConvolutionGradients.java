package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConvolutionForm;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.attribute.TransposedWindow;
import dev.cairn.kernels.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/** Gradients of convolutions. */
public final class ConvolutionGradients {
  private ConvolutionGradients() {}

  public static void convolution(GradientContext g) {
    SlidingWindow window = SlidingWindow.ofWeights(g.attributes(), g.operandShape(0), g.operandShape(1));
    if (g.wanted(0)) {
      giveSpread(g, 0, window, g.head(), g.operand(1));
    }
    if (g.wanted(1)) {
      g.give(1,
        g.apply(Operators.CONV_WEIGHT_GRADIENT, withKernel(g.attributes(), g.operandShape(1)), g.operand(0), g.head()));
    }
    giveBias(g, 2);
  }

  public static void deformed(GradientContext g) {
    giveBias(g, 3);
    if (!g.wanted(0) && !g.wanted(1) && !g.wanted(2) && !g.wanted(4)) {
      return;
    }
    List<GradientExpression> operands = new ArrayList<>(List.of(g.head(), g.operand(0), g.operand(1), g.operand(2)));
    if (g.hasOperand(4)) {
      operands.add(g.operand(4));
    }
    List<GradientExpression> gradients = g.applyAll("DeformConvGradient", g.attributes(), operands.size() - 1,
      operands);
    for (int i = 0; i < gradients.size(); i++) {
      g.give(i < 3 ? i : 4, gradients.get(i));
    }
  }

  private static void giveSpread(GradientContext g, int operand, SlidingWindow window, GradientExpression h,
    GradientExpression weights) {
    if (g.operandShape(operand).elementCount() > 0) {
      g.give(operand, spread(window, g.operandShape(operand), ConvolutionForm.of(g.attributes()).group(), h, weights));
    }
  }

  /**
   * The products of a window's head and the weights, which are added to its taps.
   *
   * @param input the shape of the result, over which the windows slide
   */
  static GradientExpression spread(SlidingWindow window, Shape input, long group, GradientExpression h,
    GradientExpression weights) {
    int rank = window.rank();
    long[] pads = new long[2 * rank];
    long[] further = new long[rank];
    for (int axis = 0; axis < rank; axis++) {
      long reach = (window.kernel(axis) - 1L) * window.dilation(axis) + 1;
      long covered = (window.outputExtent(axis) - 1L) * window.stride(axis) + reach;
      long beyond = input.extent(axis + 2) + window.padBegin(axis) - covered;
      pads[axis] = window.padBegin(axis);
      pads[rank + axis] = Math.max(0, -beyond);
      further[axis] = Math.max(0, beyond);
    }
    Attributes attributes = numbers("strides", window.axes(), SlidingWindow.Axis::stride)
      .with("dilations", ints(window.axes(), SlidingWindow.Axis::dilation))
      .with("pads", AttributeValue.Ints.of(pads))
      .with("output_padding", AttributeValue.Ints.of(further))
      .with("group", group);
    return h.convTranspose(attributes, List.of(weights));
  }

  private static <T> Attributes numbers(String name, List<T> axes, ToLongFunction<T> number) {
    return Attributes.NONE.with(name, ints(axes, number));
  }

  private static <T> AttributeValue ints(List<T> axes, ToLongFunction<T> number) {
    return AttributeValue.Ints.of(axes.stream().mapToLong(number).toArray());
  }

  private static Attributes withKernel(Attributes attributes, Shape weights) {
    return attributes.with("kernel_shape", AttributeValue.Ints.of(Arrays.copyOfRange(weights.extents(), 2, weights
      .rank())));
  }

  private static void giveBias(GradientContext g, int operand) {
    if (g.wanted(operand)) {
      long[] axes = new long[g.head().shape().rank() - 1];
      Arrays.setAll(axes, i -> i == 0 ? 0 : i + 1);
      g.give(operand, g.head().sumOver(axes).reshape(g.operandShape(operand)));
    }
  }

  /** A convolution of the heads, whose windows are the places to which each input contributed. */
  public static void transposed(GradientContext g) {
    giveBias(g, 2);
    if (g.operandShape(0).elementCount() == 0) {
      return;
    }
    List<TransposedWindow.Axis> axes = TransposedWindow.of(g.attributes(), g.operandShape(0), g.operandShape(1)).axes();
    int rank = axes.size();
    long[] pads = new long[2 * rank];
    long[] crops = new long[2 * (rank + 2)];
    for (int i = 0; i < rank; i++) {
      TransposedWindow.Axis axis = axes.get(i);
      long covered = (axis.input() - 1L) * axis.stride() + (axis.kernel() - 1L) * axis.dilation() + 1;
      long after = covered - axis.padBegin() - axis.output();
      pads[i] = axis.padBegin();
      pads[rank + i] = Math.max(0, after);
      // One window too many would begin there.
      crops[rank + 4 + i] = -after >= axis.stride() ? after : 0;
    }
    Attributes window = withKernel(numbers("strides", axes, TransposedWindow.Axis::stride), g.operandShape(1))
      .with("dilations", ints(axes, TransposedWindow.Axis::dilation))
      .with("pads", AttributeValue.Ints.of(pads))
      .with("group", ConvolutionForm.of(g.attributes()).group());
    GradientExpression h = g.head().pad(crops);
    if (g.wanted(0)) {
      g.give(0, h.conv(window, List.of(g.operand(1))));
    }
    if (g.wanted(1)) {
      g.give(1, g.apply(Operators.CONV_WEIGHT_GRADIENT, window, h, g.operand(0)));
    }
  }

  /**
   * The gradient of {@code ConvWeightGradient}. The head has the shape of weights, and stands in their place in the
   * convolution.
   */
  public static void weightGradient(GradientContext g) {
    SlidingWindow window = SlidingWindow.ofWeights(g.attributes(), g.operandShape(0), g.head().shape());
    if (g.wanted(0)) {
      giveSpread(g, 0, window, g.operand(1), g.head());
    }
    if (g.wanted(1)) {
      g.give(1, g.operand(0).conv(g.attributes(), List.of(g.head())));
    }
  }
}
