package dev.cairn.runtime.operator.gradient;

import java.util.List;

/** Operators that make elements of no operand. */
final class GenerateGradients {
  /** Why the gradient of an operator that reads only shapes and sizes is zero. */
  static final String OF_SHAPES = "no element of an operand is an element of its result";

  static final List<GradientRow> ROWS = List.of( //
    GradientRow.none("Range", "no rule is written yet"), //
    GradientRow.zero("ConstantOfShape", OF_SHAPES), //
    GradientRow.zero("EyeLike", OF_SHAPES));

  private GenerateGradients() {}
}
