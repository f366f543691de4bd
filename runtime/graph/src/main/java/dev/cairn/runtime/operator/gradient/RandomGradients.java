package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.DropoutForm;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gradients of random operators. Random numbers depend on nothing but seed and draw. */
public final class RandomGradients {
  private RandomGradients() {}

  /** Drops the same elements of the head. The state and the draw are the same, so no mask is kept. */
  public static void dropout(GradientContext g) {
    if (g.head(0) == null) {
      return;
    }
    if (!DropoutForm.of(g.attributes()).isTraining()) {
      g.give(0, g.head());
      return;
    }
    List<@Nullable GradientExpression> operands = new ArrayList<>(List.of(g.head()));
    for (int i = 1; i < g.operands(); i++) {
      operands.add(g.hasOperand(i) ? g.operand(i) : null);
    }
    g.give(0, g.applyAll(g.operator(), g.attributes(), 1, operands).getFirst());
  }
}
