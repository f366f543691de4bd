package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.ActivationForm;
import dev.cairn.kernels.attribute.GeluForm;

/** Gradients of the functions of neural networks. */
public final class ActivationGradients {
  private static final double ROOT_HALF = Math.sqrt(0.5);
  private static final double ROOT_TWO_OVER_PI = Math.sqrt(2 / Math.PI);
  private static final double ONE_OVER_ROOT_TWO_PI = 1 / Math.sqrt(2 * Math.PI);
  private static final double GELU_CUBE = 0.044715;

  private ActivationGradients() {}

  public static void leakyRelu(GradientContext g) {
    GradientExpression slope = g.head().mul(ActivationForm.LEAKY_RELU.of(g.attributes(), 0));
    g.give(0, g.operand(0).gt(0).where(g.head(), slope));
  }

  public static void thresholdedRelu(GradientContext g) {
    g.give(0, g.operand(0).gt(ActivationForm.THRESHOLDED_RELU.of(g.attributes(), 0)).where(g.head()));
  }

  public static void hardSigmoid(GradientContext g) {
    GradientExpression inside = g.result().gt(0).logicalAnd(g.result().lt(1));
    g.give(0, inside.where(g.head().mul(ActivationForm.HARD_SIGMOID.of(g.attributes(), 0))));
  }

  public static void elu(GradientContext g) {
    exponential(g, 1, g.result().add(ActivationForm.ELU.of(g.attributes(), 0)));
  }

  public static void celu(GradientContext g) {
    double alpha = ActivationForm.CELU.of(g.attributes(), 0);
    exponential(g, 1, g.result().div(alpha).add(1));
  }

  public static void selu(GradientContext g) {
    double gamma = ActivationForm.SELU.of(g.attributes(), 1);
    exponential(g, gamma, g.result().add(gamma * ActivationForm.SELU.of(g.attributes(), 0)));
  }

  public static void parametricRelu(GradientContext g) {
    GradientExpression negative = g.operand(0).lt(0);
    if (g.wanted(0)) {
      g.give(0, negative.where(g.head().mul(g.operand(1)), g.head()));
    }
    if (g.wanted(1)) {
      g.giveFitted(1, negative.where(g.head().mul(g.operand(0))));
    }
  }

  public static void shrink(GradientContext g) {
    double threshold = ActivationForm.SHRINK.of(g.attributes(), 1);
    g.give(0, g.operand(0).abs().gt(threshold).where(g.head()));
  }

  /** A constant slope above zero, and another one elsewhere. */
  private static void exponential(GradientContext g, double above, GradientExpression elsewhere) {
    g.give(0, g.operand(0).gt(0).where(g.head().mul(above), g.head().mul(elsewhere)));
  }

  /** 0 below -3, 1 above 3, and {@code x/3 + 1/2} between. */
  public static GradientExpression hardSwish(GradientContext g) {
    GradientExpression x = g.operand(0);
    GradientExpression between = x.div(3).add(0.5);
    GradientExpression upTo = x.le(3).where(between, x.scalar(1));
    return x.lt(-3).where(x.scalar(0), upTo);
  }

  public static GradientExpression gelu(GradientContext g) {
    GradientExpression x = g.operand(0);
    if (GeluForm.of(g.attributes()).isExact()) {
      GradientExpression share = x.mul(ROOT_HALF).erf().add(1).mul(0.5);
      GradientExpression density = x.square().mul(-0.5).exp().mul(ONE_OVER_ROOT_TWO_PI);
      return share.add(x.mul(density));
    }
    GradientExpression square = x.square();
    GradientExpression inner = x.mul(square.mul(GELU_CUBE).add(1)).mul(ROOT_TWO_OVER_PI);
    GradientExpression tanh = inner.tanh();
    GradientExpression slope = square.mul(3 * GELU_CUBE).add(1).mul(ROOT_TWO_OVER_PI / 2);
    GradientExpression steep = x.mul(tanh.square().oneMinus()).mul(slope);
    return tanh.add(1).mul(0.5).add(steep);
  }

  public static GradientExpression mish(GradientContext g) {
    GradientExpression x = g.operand(0);
    GradientExpression tanh = x.softplus().tanh();
    GradientExpression steep = x.mul(tanh.square().oneMinus()).mul(x.sigmoid());
    return tanh.add(steep);
  }

  public static GradientExpression swish(GradientContext g) {
    double alpha = ActivationForm.SWISH.of(g.attributes(), 0);
    GradientExpression sigmoid = g.operand(0).mul(alpha).sigmoid();
    return sigmoid.add(g.result().mul(alpha).mul(sigmoid.oneMinus()));
  }
}
