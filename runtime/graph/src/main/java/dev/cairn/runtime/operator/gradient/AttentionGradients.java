package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.Operators;
import java.util.ArrayList;
import java.util.List;

/** The gradients of attention, whose scores are computed again, and of rotary positions. */
public final class AttentionGradients {
  private AttentionGradients() {}

  public static void attention(GradientContext g) {
    for (int i = 1; i < 4; i++) {
      if (g.head(i) != null) {
        throw g.gap("of caches and scores");
      }
    }
    if (g.hasOperand(4) || g.hasOperand(5) || g.hasOperand(6)) {
      throw g.gap("with caches or lengths");
    }
    if (g.wanted(3)) {
      throw g.gap("of a mask");
    }
    List<GradientExpression> operands = new ArrayList<>(List.of(g.head(), g.operand(0), g.operand(1), g.operand(2)));
    if (g.hasOperand(3)) {
      operands.add(g.operand(3));
    }
    List<GradientExpression> gradients = g.applyAll(Operators.ATTENTION_GRADIENT, g.attributes(), 3, operands);
    for (int i = 0; i < 3; i++) {
      g.give(i, gradients.get(i));
    }
  }

  /** Turns back, by the negative angles. */
  public static void rotary(GradientContext g) {
    if (g.wanted(1) || g.wanted(2)) {
      throw g.gap("of caches of cosines and sines");
    }
    List<GradientExpression> operands = new ArrayList<>(List.of(g.head(), g.operand(1), g.operand(2).neg()));
    if (g.hasOperand(3)) {
      operands.add(g.operand(3));
    }
    g.give(0, g.applyAll(g.operator(), g.attributes(), 1, operands).getFirst());
  }
}
