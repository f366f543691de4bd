package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.LineNorm;
import dev.cairn.kernels.attribute.NormalizedChannels;
import dev.cairn.kernels.attribute.NormalizedGroups;
import dev.cairn.kernels.attribute.NormalizedRows;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Gradients of normalisations. Running statistics are states: nothing flows to them or from them. */
public final class NormalizationGradients {
  private NormalizationGradients() {}

  private static Attributes withEpsilon(float epsilon) {
    return Attributes.NONE.with("epsilon", new AttributeValue.Real(epsilon));
  }

  /** The gradient with the batch's statistics, which further results may have saved (G-18), or with given ones. */
  public static void batch(GradientContext g) {
    if (g.head(3) != null || g.head(4) != null) {
      throw g.gap("of the saved statistics");
    }
    if (g.head(0) == null) {
      return;
    }
    NormalizedChannels form = NormalizedChannels.of(g.attributes());
    if (!form.isTraining()) {
      batchWithGiven(g, form.epsilon());
      return;
    }
    List<GradientExpression> operands = new ArrayList<>(List.of(g.head(), g.operand(0), g.operand(1)));
    if (g.results() == 5) {
      operands.add(g.result(3));
      operands.add(g.result(4));
    }
    List<GradientExpression> gradients = g.applyAll("BatchNormalizationGradient", withEpsilon(form.epsilon()), 3,
      operands);
    for (int i = 0; i < 3; i++) {
      g.give(i, gradients.get(i).astype(g.operandType(i).dtype()));
    }
  }

  private static void batchWithGiven(GradientContext g, float epsilon) {
    DType dtype = g.operandType(0).dtype();
    GradientExpression inverse = byChannel(g, 4, dtype).add(epsilon).sqrt().reciprocal();
    if (g.wanted(0)) {
      g.give(0, g.head().mul(byChannel(g, 1, dtype).mul(inverse)));
    }
    if (g.wanted(1)) {
      GradientExpression normal = g.operand(0).sub(byChannel(g, 3, dtype)).mul(inverse);
      giveSum(g, 1, g.head().mul(normal));
    }
    giveSum(g, 2, g.head());
  }

  /** A parameter with one element a channel, so that it stretches to the data. */
  private static GradientExpression byChannel(GradientContext g, int operand, DType dtype) {
    return g.operand(operand).astype(dtype).reshape(channelShape(g));
  }

  /** {@code [C,1,...]}; a tensor of one axis is one channel. */
  private static Shape channelShape(GradientContext g) {
    Shape x = g.operandShape(0);
    long[] extents = new long[Math.max(1, x.rank() - 1)];
    Arrays.fill(extents, 1);
    extents[0] = x.rank() < 2 ? 1 : x.extent(1);
    return Shape.of(extents);
  }

  /** Gives a parameter the sum of each channel. */
  private static void giveSum(GradientContext g, int operand, GradientExpression gradient) {
    if (g.wanted(operand)) {
      TensorType type = g.operandType(operand);
      g.give(operand, gradient.fit(channelShape(g)).reshape(type.shape()).astype(type.dtype()));
    }
  }

  public static void instance(GradientContext g) {
    Shape x = g.operandShape(0);
    parts(g, NormalizedGroups.ofChannels(g.attributes(), x.extent(1)));
  }

  public static void group(GradientContext g) {
    parts(g, NormalizedGroups.of(g.attributes()));
  }

  /** Parts of images, each of which is a row of a layer normalisation, with a scale and a bias for each channel. */
  private static void parts(GradientContext g, NormalizedGroups form) {
    Shape x = g.operandShape(0);
    Shape rows = Shape.of(x.extent(0), form.groups(), x.extent(1) / form.groups() * x.elementCount(2, x.rank()));
    DType dtype = g.operandType(0).dtype();
    GradientExpression head = g.head();
    if (g.wanted(0)) {
      GradientExpression scaled = head.mul(byChannel(g, 1, dtype)).reshape(rows);
      GradientExpression one = g.filled(TensorType.of(dtype, 1), 1);
      GradientExpression gradient = g
        .applyAll("LayerNormalizationGradient", withEpsilon(form.epsilon()), 3,
          List.of(scaled, g.operand(0).reshape(rows), one))
        .getFirst();
      g.give(0, gradient.reshape(g.operandShape(0)));
    }
    if (g.wanted(1)) {
      TensorType parameter = g.operandType(1);
      GradientExpression normal = g.again(g.attributes(), g.operand(0), g.filled(parameter, 1),
        g.filled(parameter, 0));
      giveSum(g, 1, head.mul(normal));
    }
    giveSum(g, 2, head);
  }

  /** The means and deviations come from further results if these are as exact as the data; or are computed again. */
  public static void layer(GradientContext g) {
    if (g.head(1) != null || g.head(2) != null) {
      throw g.gap("of means and deviations");
    }
    Shape row = NormalizedRows.of(g.attributes(), g.operandShape(0)).row();
    boolean isRow = g.operandShape(1).rank() <= row.rank();
    // A scale with further axes is a factor of the normalized rows, whose own scale is 1.
    GradientExpression head = isRow ? g.head() : g.head().mul(g.operand(1));
    GradientExpression scale = isRow
      ? g.operand(1)
      : g.filled(g.operandType(1).withShape(row), 1);
    List<GradientExpression> operands = new ArrayList<>(List.of(head, g.operand(0), scale));
    if (g.results() == 3 && g.resultType(1).dtype().bits() >= g.operandType(0).dtype().bits()) {
      operands.add(g.result(1));
      operands.add(g.result(2));
    }
    float epsilon = NormalizedRows.of(g.attributes(), g.operandShape(0)).epsilon();
    Attributes attributes = withEpsilon(epsilon).with("axis", NormalizedRows.axis(g.attributes()));
    List<GradientExpression> gradients = g.applyAll("LayerNormalizationGradient", attributes, 3, operands);
    g.give(0, gradients.get(0));
    if (g.wanted(1)) {
      g.giveFitted(1, isRow
        ? gradients.get(1)
        : g.head().mul(g.again(g.attributes(), g.operand(0), scale)));
    }
    if (g.hasOperand(2)) {
      g.giveFitted(2, isRow && g.operandShape(2).rank() <= row.rank() ? gradients.get(2) : g.head());
    }
  }

  /** {@code y = n scale} with {@code n = x r} and {@code r = 1 / sqrt(mean of x^2 + epsilon)}. */
  public static void meanSquare(GradientContext g) {
    Shape x = g.operandShape(0);
    DType dtype = g.operandType(0).dtype();
    long[] axes = LongStream.range(NormalizedRows.axis(g.attributes(), x), x.rank()).toArray();
    GradientExpression head = g.head().astype(dtype);
    GradientExpression squares = g.operand(0).square().meanKept(g.longs(axes));
    GradientExpression inverse = squares.add(NormalizedRows.of(g.attributes(), x)
      .epsilon()).sqrt().reciprocal();
    GradientExpression normal = g.operand(0).mul(inverse);
    if (g.wanted(0)) {
      GradientExpression scaled = head.mul(g.operand(1).astype(dtype));
      GradientExpression mean = scaled.mul(normal).meanKept(g.longs(axes));
      g.give(0, inverse.mul(scaled.sub(normal.mul(mean))));
    }
    if (g.wanted(1)) {
      g.giveFitted(1, head.mul(normal).astype(g.operandType(1).dtype()));
    }
  }

  /** Lines that are divided by their norm; 0 where that is 0. */
  public static void power(GradientContext g) {
    boolean squares = LineNorm.of(g.attributes()).squares();
    GradientExpression axis = g.longs(g.operandShape(0).axis(LineNorm.of(g.attributes()).axis()));
    GradientExpression norm = g.apply(squares ? "ReduceL2" : "ReduceL1", g.operand(0), axis);
    GradientExpression along = g.head().mul(g.result()).sumKept(axis);
    GradientExpression slope = squares ? g.result() : g.operand(0).sign();
    GradientExpression gradient = g.head().sub(slope.mul(along)).div(norm);
    g.give(0, norm.eq(0).where(gradient.scalar(0), gradient));
  }
}
