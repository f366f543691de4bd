package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.CumulativeForm;
import dev.cairn.kernels.attribute.ReductionForm;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Gradients of reductions, running sums and softmax. */
final class ReduceGradients {
  static final List<GradientRow> ROWS = List.of( //
    GradientRow.of("ReduceSum", g -> spread(g, head(g))), //
    GradientRow.of("ReduceMean", g -> spread(g, g.div(head(g), reduced(g)))), //
    GradientRow.of("ReduceMax", ReduceGradients::extremum), //
    GradientRow.of("ReduceMin", ReduceGradients::extremum), //
    GradientRow.of("ReduceProd", ReduceGradients::product), //
    GradientRow.of("ReduceL1", g -> g.give(0, g.mul(head(g), g.apply("Sign", g.operand(0))))), //
    GradientRow.of("ReduceL2", g -> {
      NodeEntry norm = kept(g, g.result());
      NodeEntry slope = g.div(g.mul(head(g), g.operand(0)), norm);
      g.give(0, g.where(g.compare("Equal", norm, 0), g.scalarLike(slope, 0), slope));
    }), //
    GradientRow.of("ReduceLogSum", g -> spread(g, g.div(head(g), g.sum(g.operand(0), axes(g))))), //
    GradientRow.of("ReduceLogSumExp", g -> g.give(0, g.mul(head(g), g.apply("Exp", g.sub(g.operand(0), kept(g, g
      .result())))))), //
    GradientRow.of("ReduceSumSquare", g -> g.give(0, g.mul(head(g), g.mul(g.operand(0), 2)))), //
    GradientRow.zero("ArgMax", "its results are places"), //
    GradientRow.zero("ArgMin", "its results are places"), //
    GradientRow.of("CumSum",
      g -> g.give(0,
        g.apply("CumSum", g.attributes().with("reverse", CumulativeForm.of(g.attributes()).isReversed() ? 0 : 1),
          g.head(), g.operand(1)))), //
    GradientRow.of("CumProd", ReduceGradients::productsSoFar), //
    GradientRow.of("Softmax", g -> {
      NodeEntry mean = g.sum(g.mul(g.head(), g.result()), axis(g));
      g.give(0, g.mul(g.sub(g.head(), mean), g.result()));
    }), //
    GradientRow.of("LogSoftmax", g -> g.give(0, g.sub(g.head(), g.mul(g.apply("Exp", g.result()), g.sum(g.head(), axis(
      g)))))), //
    GradientRow.zero("Hardmax", "a step function: zero between the steps"));

  private ReduceGradients() {}

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
  private static NodeEntry kept(GradientContext g, NodeEntry result) {
    Shape shape = g.operandShape(0);
    for (long axis : axes(g)) {
      shape = shape.with((int) axis, 1);
    }
    return g.reshape(result, shape);
  }

  private static NodeEntry head(GradientContext g) {
    return kept(g, g.head());
  }

  private static void spread(GradientContext g, NodeEntry gradient) {
    g.give(0, g.expand(gradient, g.operandShape(0)));
  }

  /** Shared evenly by the elements that equal the result. */
  private static void extremum(GradientContext g) {
    NodeEntry equal = g.cast(g.apply("Equal", g.operand(0), kept(g, g.result())), g.operandType(0).dtype());
    g.give(0, g.mul(g.div(head(g), g.sum(equal, axes(g))), equal));
  }

  /** Times the product of all others: of those before and those behind, so that a zero does no harm. */
  private static void product(GradientContext g) {
    long[] axes = axes(g);
    Shape shape = g.operandShape(0);
    long[] order = Stream.concat(IntStream.range(0, shape.rank()).mapToObj(axis -> (long) axis).filter(
      axis -> Arrays.stream(axes).noneMatch(it -> it == axis)), Arrays.stream(axes).boxed())
      .mapToLong(Long::longValue).toArray();
    NodeEntry turned = g.transpose(g.operand(0), order);
    long count = (long) reduced(g);
    Shape lines = Shape.of(count == 0 ? 0 : shape.elementCount() / count, count);
    NodeEntry line = g.reshape(turned, lines);
    NodeEntry before = g.apply("CumProd", Attributes.NONE.with("exclusive", 1), line, g.longs(1));
    NodeEntry behind = g.apply("CumProd", Attributes.NONE.with("exclusive", 1).with("reverse", 1), line, g.longs(1));
    NodeEntry others = g.transpose(g.reshape(g.mul(before, behind), g.shape(turned)), MovementGradients.inverse(
      order));
    g.give(0, g.mul(head(g), others));
  }

  /**
   * Element i gets the sum over all j that read it of the head times the product of the other elements that j reads: a
   * square of the line's length, in which element i is left out in row i. So a zero does no harm.
   */
  private static void productsSoFar(GradientContext g) {
    Shape shape = g.operandShape(0);
    int rank = shape.rank();
    long named = g.operandLongs(1)[0];
    int axis = (int) (named < 0 ? named + rank : named);
    long length = shape.extent(axis);
    long[] square = new long[rank + 1];
    for (int i = 0; i <= rank; i++) {
      square[i] = i <= axis ? shape.extent(i) : shape.extent(i - 1);
    }
    long[] lines = new long[rank + 1];
    Arrays.fill(lines, 1);
    lines[axis] = length;
    lines[axis + 1] = length;
    NodeEntry diagonal = g.reshape(g.apply("EyeLike", g.filled(new TensorType(g.operandType(0).dtype(), Shape.of(length,
      length)), 0)), Shape.of(lines));
    Shape row = Shape.of(square).with(axis, 1);
    NodeEntry all = g.expand(g.reshape(g.operand(0), row), Shape.of(square));
    NodeEntry others = g.where(g.compare("Equal", diagonal, 0), all, g.scalarLike(all, 1));
    NodeEntry products = g.apply("CumProd", g.attributes(), others, g.longs(axis + 1L));
    NodeEntry ones = g.apply("CumSum", g.attributes(), g.expand(diagonal, Shape.of(square)), g.longs(axis + 1L));
    NodeEntry heads = g.mul(g.reshape(g.head(), row), g.mul(products, ones));
    g.give(0, g.reshape(g.sum(heads, axis + 1), shape));
  }
}
