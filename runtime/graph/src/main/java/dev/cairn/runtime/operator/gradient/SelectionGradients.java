package dev.cairn.runtime.operator.gradient;

import java.util.List;

/** Operators that select elements by their values. */
final class SelectionGradients {
  static final List<GradientRow> ROWS = List.of( //
    GradientRow.none("Compress", "no rule is written yet"), //
    GradientRow.none("Unique", "no rule is written yet"), //
    GradientRow.zero("NonMaxSuppression", "its results are places"), //
    GradientRow.zero("NonZero", "its results are places"));

  private SelectionGradients() {}
}
