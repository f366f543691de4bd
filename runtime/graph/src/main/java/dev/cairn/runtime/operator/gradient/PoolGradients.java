package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.PoolForm;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.attribute.WindowForm;
import dev.cairn.kernels.tensor.Shape;
import java.util.Arrays;
import java.util.List;

/** Gradients of pools, and of normalisation over neighbouring channels. */
public final class PoolGradients {
  private PoolGradients() {}

  public static void average(GradientContext g) {
    g.give(0, g.apply("AveragePoolGradient", g.attributes().with("output_shape", AttributeValue.Ints.of(spatial(g
      .operandShape(0)))), g.head()));
  }

  /** The gradient of an average pool's gradient: the average pool of the head. */
  public static void averageAgain(GradientContext g) {
    g.give(0, g.apply(Operators.AVERAGE_POOL, g.attributes(), g.head()));
  }

  public static void globalMax(GradientContext g) {
    giveToMaxima(g, Attributes.NONE.with("kernel_shape", AttributeValue.Ints.of(spatial(g.operandShape(0)))));
  }

  public static void max(GradientContext g) {
    giveToMaxima(g, g.attributes());
  }

  public static void localResponse(GradientContext g) {
    g.give(0, g.apply("LrnGradient", g.attributes(), g.operand(0), g.head()));
  }

  private static long[] spatial(Shape shape) {
    return Arrays.copyOfRange(shape.extents(), 2, shape.rank());
  }

  private static void giveToMaxima(GradientContext g, Attributes window) {
    if (g.operandShape(0).elementCount() > 0) {
      g.give(0, g.apply("MaxPoolGradient", window, g.operand(0), g.result(), g.head()));
    }
  }

  /** Takes the head at each window's maximum. Windows that lie wholly in padding have none. */
  public static void maxGradient(GradientContext g) {
    if (!g.wanted(2) || g.operandShape(0).elementCount() == 0) {
      return;
    }
    GradientExpression places = g.applyAll(Operators.MAX_POOL, g.attributes(), 2, List.of(g.operand(0))).get(1);
    GradientExpression flat = g.head().reshape(Shape.of(g.operandShape(0).elementCount()));
    GradientExpression taken = flat.take(places);
    SlidingWindow window = SlidingWindow.ofPool(g.attributes(), g.operandShape(0));
    g.give(2, hasEmptyWindows(window, g.operandShape(0))
      ? places.ge(0).where(taken)
      : taken);
  }

  private static boolean hasEmptyWindows(SlidingWindow window, Shape input) {
    for (int axis = 0; axis < window.rank(); axis++) {
      int extent = Math.toIntExact(input.extent(axis + 2));
      for (int output = 0; output < window.outputExtent(axis); output++) {
        if (window.firstTap(axis, output) == window.endTap(axis, output, extent)) {
          return true;
        }
      }
    }
    return false;
  }

  public static void globalAverage(GradientContext g) {
    Shape x = g.operandShape(0);
    if (x.elementCount() > 0) {
      g.give(0, g.head().div((double) x.elementCount(2, x.rank())).broadcastTo(x));
    }
  }

  public static void globalNorm(GradientContext g) {
    g.give(0, ofNorm(g, byNorm(g).broadcastTo(g.operandShape(0))));
  }

  /** Gives each window's head to all of its elements, as a convolution of each channel with ones does. */
  public static void norm(GradientContext g) {
    Shape x = g.operandShape(0);
    if (x.elementCount() == 0) {
      return;
    }
    long[] kernel = WindowForm.of(g.attributes()).kernel();
    long[] ones = new long[x.rank()];
    ones[0] = x.extent(1);
    ones[1] = 1;
    System.arraycopy(kernel, 0, ones, 2, kernel.length);
    SlidingWindow window = SlidingWindow.of(g.attributes(), x, kernel);
    g.give(0, ofNorm(g, ConvolutionGradients.spread(window, x, x.extent(1), byNorm(g), g.filled(g.operandType(0)
      .withShape(Shape.of(ones)), 1))));
  }

  private static double order(GradientContext g) {
    return PoolForm.of(g.attributes()).order();
  }

  /** {@code h * y^(1-p)}, and 0 where the norm is 0. */
  private static GradientExpression byNorm(GradientContext g) {
    if (order(g) == 1) {
      return g.head();
    }
    GradientExpression y = g.result();
    GradientExpression power = order(g) == 2 ? y : y.pow(y.scalar(order(g) - 1));
    return y.gt(0).where(g.head().div(power));
  }

  /** {@code sign(x) * |x|^(p-1)} times what is given. */
  private static GradientExpression ofNorm(GradientContext g, GradientExpression given) {
    GradientExpression x = g.operand(0);
    if (order(g) == 2) {
      return given.mul(x);
    }
    GradientExpression signed = given.mul(x.sign());
    return order(g) == 1 ? signed : signed.mul(x.abs().pow(x.scalar(order(g) - 1)));
  }
}
