package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.CumulativeForm;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.ReductionForm;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Gradients of reductions, running sums and softmax. */
public final class ReduceGradients {
  private ReduceGradients() {}

  public static void sum(GradientContext g) {
    spread(g, head(g));
  }

  public static void mean(GradientContext g) {
    spread(g, head(g).div(reduced(g)));
  }

  public static void absoluteSum(GradientContext g) {
    g.give(0, head(g).mul(g.operand(0).sign()));
  }

  /** The gradient of a norm; 0 where the norm is 0. */
  public static void norm(GradientContext g) {
    GradientExpression norm = kept(g, g.result());
    GradientExpression slope = head(g).mul(g.operand(0)).div(norm);
    g.give(0, norm.eq(0).where(slope.scalar(0), slope));
  }

  public static void logSum(GradientContext g) {
    spread(g, head(g).div(g.operand(0).sumOver(axes(g))));
  }

  public static void logSumExp(GradientContext g) {
    g.give(0, head(g).mul(g.operand(0).sub(kept(g, g.result())).exp()));
  }

  public static void sumOfSquares(GradientContext g) {
    g.give(0, head(g).mul(g.operand(0).mul(2)));
  }

  /** Running sums of the head in the other direction. */
  public static void sumsSoFar(GradientContext g) {
    g.give(0, g.again(g.attributes().with("reverse", CumulativeForm.of(g.attributes()).isReversed() ? 0 : 1), g.head(),
      g.operand(1)));
  }

  public static void softmax(GradientContext g) {
    GradientExpression mean = g.head().mul(g.result()).sumOver(axis(g));
    g.give(0, g.head().sub(mean).mul(g.result()));
  }

  public static void logSoftmax(GradientContext g) {
    g.give(0, g.head().sub(g.result().exp().mul(g.head().sumOver(axis(g)))));
  }

  private static long axis(GradientContext g) {
    return g.operandShape(0).axis(AxisForm.ofLines(g.attributes()).axis());
  }

  /** The axes that are reduced, in order. */
  private static long[] axes(GradientContext g) {
    int rank = g.operandShape(0).rank();
    long[] named = g.hasOperand(1) ? g.operandLongs(1) : new long[0];
    if (named.length == 0) {
      boolean none = ReductionForm.of(g.attributes()).isNoneOfNone();
      return IntStream.range(0, none ? 0 : rank).asLongStream().toArray();
    }
    return Arrays.stream(named).map(axis -> axis < 0 ? axis + rank : axis).sorted().toArray();
  }

  /** How many elements become one. */
  private static double reduced(GradientContext g) {
    return Arrays.stream(axes(g)).mapToDouble(axis -> g.operandShape(0).extent((int) axis)).reduce(1, (a, b) -> a * b);
  }

  /** A result, or its gradient, with the reduced axes of extent 1. */
  private static GradientExpression kept(GradientContext g, GradientExpression result) {
    Shape shape = g.operandShape(0);
    for (long axis : axes(g)) {
      shape = shape.with((int) axis, 1);
    }
    return result.reshape(shape);
  }

  private static GradientExpression head(GradientContext g) {
    return kept(g, g.head());
  }

  private static void spread(GradientContext g, GradientExpression gradient) {
    g.give(0, gradient.broadcastTo(g.operandShape(0)));
  }

  /** The elements that equal the result share the head evenly. */
  public static void extremum(GradientContext g) {
    GradientExpression equal = g.operand(0).eq(kept(g, g.result())).astype(g.operandType(0).dtype());
    g.give(0, head(g).div(equal.sumOver(axes(g))).mul(equal));
  }

  /**
   * The gradient of a product: the head times the product of all other elements. That product is made of the elements
   * before and of those behind, not by division, so that a zero does no harm.
   */
  public static void product(GradientContext g) {
    long[] axes = axes(g);
    Shape shape = g.operandShape(0);
    long[] order = Stream.concat(IntStream.range(0, shape.rank()).mapToObj(axis -> (long) axis).filter(
      axis -> Arrays.stream(axes).noneMatch(it -> it == axis)), Arrays.stream(axes).boxed())
      .mapToLong(Long::longValue).toArray();
    GradientExpression turned = g.operand(0).transpose(order);
    long count = (long) reduced(g);
    Shape lines = Shape.of(count == 0 ? 0 : shape.elementCount() / count, count);
    GradientExpression line = turned.reshape(lines);
    GradientExpression before = g.apply("CumProd", Attributes.NONE.with("exclusive", 1), line, g.longs(1));
    GradientExpression behind = g.apply("CumProd", Attributes.NONE.with("exclusive", 1).with("reverse", 1), line,
      g.longs(1));
    GradientExpression others = before.mul(behind).reshape(turned.shape()).transpose(MovementGradients.inverse(
      order));
    g.give(0, head(g).mul(others));
  }

  /**
   * Element i gets the sum over all j that read it of the head times the product of the other elements that j reads: a
   * square of the line's length, in which element i is left out in row i. So a zero does no harm.
   */
  public static void productsSoFar(GradientContext g) {
    Shape shape = g.operandShape(0);
    int axis = shape.axis(g.operandLongs(1)[0]);
    long length = shape.extent(axis);
    Shape square = shape.inserted(axis, length);
    long[] lines = new long[square.rank()];
    Arrays.fill(lines, 1);
    lines[axis] = length;
    lines[axis + 1] = length;
    GradientExpression diagonal = g
      .apply(Operators.EYE_LIKE, g.filled(new TensorType(g.operandType(0).dtype(), Shape.of(length,
        length)), 0))
      .reshape(Shape.of(lines));
    Shape row = square.with(axis, 1);
    GradientExpression all = g.operand(0).reshape(row).broadcastTo(square);
    GradientExpression others = diagonal.eq(0).where(all, all.scalar(1));
    GradientExpression products = g.again(g.attributes(), others, g.longs(axis + 1L));
    GradientExpression ones = g.apply("CumSum", g.attributes(), diagonal.broadcastTo(square),
      g.longs(axis + 1L));
    GradientExpression heads = g.head().reshape(row).mul(products.mul(ones));
    g.give(0, heads.sumOver(axis + 1).reshape(shape));
  }
}
