package dev.cairn.runtime.operator.gradient;

import java.util.List;
import java.util.stream.Stream;

/** Gradients of operators that leave the bytes alone, and of those that only ask for a shape. */
final class ShapeGradients {
  static final List<GradientRow> ROWS = Stream.concat(
    Stream.of("Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze").map(it -> GradientRow.of(it,
      ShapeGradients::back)),
    Stream.of( //
      GradientRow.zero("Shape", "its result depends on a shape alone"), //
      GradientRow.zero("Size", "its result depends on a shape alone"), //
      GradientRow.zero("StopGradient", "it stops gradients")))
    .toList();

  private ShapeGradients() {}

  private static void back(GradientContext g) {
    g.give(0, g.head().reshape(g.operandShape(0)));
  }
}
