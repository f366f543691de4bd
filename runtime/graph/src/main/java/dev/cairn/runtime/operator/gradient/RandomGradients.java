package dev.cairn.runtime.operator.gradient;

import dev.cairn.kernels.attribute.DropoutForm;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gradients of random operators. Random numbers depend on nothing but seed and draw. */
final class RandomGradients {
  private static final String DRAWN = "its results are drawn";

  static final List<GradientRow> ROWS = List.of( //
    GradientRow.zero("Bernoulli", DRAWN), //
    GradientRow.of("Dropout", RandomGradients::dropout), //
    GradientRow.zero("Multinomial", DRAWN), //
    GradientRow.zero("RandomNormal", DRAWN), //
    GradientRow.zero("RandomNormalLike", DRAWN), //
    GradientRow.zero("RandomUniform", DRAWN), //
    GradientRow.zero("RandomUniformLike", DRAWN));

  private RandomGradients() {}

  /** The same elements are dropped of the head: same state, same draw, so no mask is kept. */
  private static void dropout(GradientContext g) {
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
    g.give(0, g.applyAll("Dropout", g.attributes(), 1, operands).getFirst());
  }
}
