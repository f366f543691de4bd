package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.Attributes;
import java.util.ArrayList;
import java.util.List;

/** Gradients of losses. Labels and weights of classes get none. */
public final class LossGradients {
  private LossGradients() {}

  public static void crossEntropy(GradientContext g) {
    requireNoWeights(g);
    GradientExpression ofLoss = g.head(0);
    if (ofLoss != null) {
      g.give(0, g.applyAll("SoftmaxCrossEntropyLossGradient", g.attributes(), 1, operands(g, ofLoss, 0)).getFirst());
    }
    GradientExpression ofLogarithms = g.head(1);
    if (ofLogarithms != null) {
      g.give(0, ofLogarithms.sub(g.result(1).exp().mul(ofLogarithms.sumOver(1))));
    }
  }

  public static void likelihood(GradientContext g) {
    requireNoWeights(g);
    Attributes attributes = g.attributes().with("classes", g.operandShape(0).extent(1));
    g.give(0, g.applyAll("NegativeLogLikelihoodLossGradient", attributes, 1, operands(g, g.head(), 1)).getFirst());
  }

  private static List<GradientExpression> operands(GradientContext g, GradientExpression head, int first) {
    List<GradientExpression> operands = new ArrayList<>(List.of(head));
    for (int i = first; i < g.operands(); i++) {
      operands.add(g.operand(i));
    }
    return operands;
  }

  private static void requireNoWeights(GradientContext g) {
    if (g.wanted(2)) {
      throw g.gap("weights of classes get none");
    }
  }
}
