package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.ActivationForm;
import dev.cairn.kernels.attribute.GeluForm;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/** Gradients of the functions of neural networks. */
final class ActivationGradients {
  private static final double ROOT_HALF = Math.sqrt(0.5);
  private static final double ROOT_TWO_OVER_PI = Math.sqrt(2 / Math.PI);
  private static final double ONE_OVER_ROOT_TWO_PI = 1 / Math.sqrt(2 * Math.PI);
  private static final double GELU_CUBE = 0.044715;

  static final List<GradientRow> ROWS = List.of( //
    GradientRow.of("Relu", g -> g.give(0, g.where(g.compare("Greater", g.result(), 0), g.head()))), //
    GradientRow.of("LeakyRelu", g -> {
      NodeEntry slope = g.mul(g.head(), ActivationForm.LEAKY_RELU.of(g.attributes(), 0));
      g.give(0, g.where(g.compare("Greater", g.operand(0), 0), g.head(), slope));
    }), //
    GradientRow.of("PRelu", ActivationGradients::parametricRelu), //
    GradientRow.of("ThresholdedRelu", g -> {
      double alpha = ActivationForm.THRESHOLDED_RELU.of(g.attributes(), 0);
      g.give(0, g.where(g.compare("Greater", g.operand(0), alpha), g.head()));
    }), //
    GradientRow.of("Shrink", ActivationGradients::shrink), //
    ElementwiseGradients.factor("Sigmoid", g -> g.mul(g.result(), g.oneMinus(g.result()))), //
    GradientRow.of("HardSigmoid", g -> {
      NodeEntry inside = g.apply("And", g.compare("Greater", g.result(), 0), g.compare("Less", g.result(), 1));
      g.give(0, g.where(inside, g.mul(g.head(), ActivationForm.HARD_SIGMOID.of(g.attributes(), 0))));
    }), //
    ElementwiseGradients.factor("HardSwish", ActivationGradients::hardSwish), //
    ElementwiseGradients.factor("Gelu", ActivationGradients::gelu), //
    ElementwiseGradients.factor("Softplus", g -> g.apply("Sigmoid", g.operand(0))), //
    GradientRow.of("Softsign", g -> g.give(0, g.div(g.head(), g.square(g.add(g.apply("Abs", g.operand(0)), 1))))), //
    GradientRow.of("Elu", g -> {
      double alpha = ActivationForm.ELU.of(g.attributes(), 0);
      exponential(g, 1, g.add(g.result(), alpha));
    }), //
    GradientRow.of("Celu", g -> {
      double alpha = ActivationForm.CELU.of(g.attributes(), 0);
      exponential(g, 1, g.add(g.div(g.result(), alpha), 1));
    }), //
    GradientRow.of("Selu", g -> {
      double gamma = ActivationForm.SELU.of(g.attributes(), 1);
      exponential(g, gamma, g.add(g.result(), gamma * ActivationForm.SELU.of(g.attributes(), 0)));
    }), //
    ElementwiseGradients.factor("Mish", ActivationGradients::mish), //
    ElementwiseGradients.factor("Swish", ActivationGradients::swish));

  private ActivationGradients() {}

  private static void parametricRelu(GradientContext g) {
    NodeEntry negative = g.compare("Less", g.operand(0), 0);
    if (g.wanted(0)) {
      g.give(0, g.where(negative, g.mul(g.head(), g.operand(1)), g.head()));
    }
    if (g.wanted(1)) {
      g.giveFitted(1, g.where(negative, g.mul(g.head(), g.operand(0))));
    }
  }

  private static void shrink(GradientContext g) {
    double threshold = ActivationForm.SHRINK.of(g.attributes(), 1);
    g.give(0, g.where(g.compare("Greater", g.apply("Abs", g.operand(0)), threshold), g.head()));
  }

  /** A constant slope above zero, and another one elsewhere. */
  private static void exponential(GradientContext g, double above, NodeEntry elsewhere) {
    g.give(0, g.where(g.compare("Greater", g.operand(0), 0), g.mul(g.head(), above), g.mul(g.head(), elsewhere)));
  }

  /** 0 below -3, 1 above 3, and {@code x/3 + 1/2} between. */
  private static NodeEntry hardSwish(GradientContext g) {
    NodeEntry x = g.operand(0);
    NodeEntry between = g.add(g.div(x, 3), 0.5);
    NodeEntry upTo = g.where(g.compare("LessOrEqual", x, 3), between, g.scalarLike(x, 1));
    return g.where(g.compare("Less", x, -3), g.scalarLike(x, 0), upTo);
  }

  private static NodeEntry gelu(GradientContext g) {
    NodeEntry x = g.operand(0);
    if (GeluForm.of(g.attributes()).isExact()) {
      NodeEntry share = g.mul(g.add(g.apply("Erf", g.mul(x, ROOT_HALF)), 1), 0.5);
      NodeEntry density = g.mul(g.apply("Exp", g.mul(g.square(x), -0.5)), ONE_OVER_ROOT_TWO_PI);
      return g.add(share, g.mul(x, density));
    }
    NodeEntry square = g.square(x);
    NodeEntry inner = g.mul(g.mul(x, g.add(g.mul(square, GELU_CUBE), 1)), ROOT_TWO_OVER_PI);
    NodeEntry tanh = g.apply("Tanh", inner);
    NodeEntry slope = g.mul(g.add(g.mul(square, 3 * GELU_CUBE), 1), ROOT_TWO_OVER_PI / 2);
    NodeEntry steep = g.mul(g.mul(x, g.oneMinus(g.square(tanh))), slope);
    return g.add(g.mul(g.add(tanh, 1), 0.5), steep);
  }

  private static NodeEntry mish(GradientContext g) {
    NodeEntry x = g.operand(0);
    NodeEntry tanh = g.apply("Tanh", g.apply("Softplus", x));
    NodeEntry steep = g.mul(g.mul(x, g.oneMinus(g.square(tanh))), g.apply("Sigmoid", x));
    return g.add(tanh, steep);
  }

  private static NodeEntry swish(GradientContext g) {
    double alpha = ActivationForm.SWISH.of(g.attributes(), 0);
    NodeEntry sigmoid = g.apply("Sigmoid", g.mul(g.operand(0), alpha));
    return g.add(sigmoid, g.mul(g.mul(g.result(), alpha), g.oneMinus(sigmoid)));
  }
}
