package dev.cairn.runtime.operator.gradient;

import java.util.List;

/** Operators of signals. */
final class SignalGradients {
  static final List<GradientRow> ROWS = List.of( //
    GradientRow.none("DFT", "no rule is written yet"), //
    GradientRow.none("STFT", "no rule is written yet"), //
    GradientRow.zero("MelWeightMatrix", GenerateGradients.OF_SHAPES));

  private SignalGradients() {}
}
