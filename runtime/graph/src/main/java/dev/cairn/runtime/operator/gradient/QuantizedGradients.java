package dev.cairn.runtime.operator.gradient;

import java.util.List;

/** Quantised operators, which have no gradients. */
final class QuantizedGradients {
  private static final String ROUNDED = "it rounds to whole numbers";

  static final List<GradientRow> ROWS = List.of( //
    GradientRow.none("DequantizeLinear", "no rule is written yet"), //
    GradientRow.none("MatMulNBits", "no rule is written yet"), //
    GradientRow.none("QuantizeLinear", ROUNDED), //
    GradientRow.none("DynamicQuantizeLinear", ROUNDED), //
    GradientRow.none("MatMulInteger", ROUNDED), //
    GradientRow.none("MatMulIntegerToFloat", ROUNDED), //
    GradientRow.none("QLinearMatMul", ROUNDED), //
    GradientRow.none("ConvInteger", ROUNDED), //
    GradientRow.none("QLinearConv", ROUNDED));

  private QuantizedGradients() {}
}
