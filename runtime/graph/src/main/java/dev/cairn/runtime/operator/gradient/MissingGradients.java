package dev.cairn.runtime.operator.gradient;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Operators of the families that have no file here: those without a gradient, and why. */
final class MissingGradients {
  private static final List<String> NOT_YET = List.of( //
    "CausalConvWithState", //
    "Compress", //
    "DFT", //
    "DequantizeLinear", //
    "LinearAttention", //
    "MatMulNBits", //
    "Range", //
    "STFT", //
    "Unique");
  private static final List<String> ROUNDED = List.of("QuantizeLinear", "DynamicQuantizeLinear", "MatMulInteger",
    "MatMulIntegerToFloat", "QLinearMatMul", "ConvInteger", "QLinearConv");
  private static final List<String> CHOSEN = List.of("NonMaxSuppression", "NonZero");
  private static final List<String> OF_SHAPES = List.of("ConstantOfShape", "EyeLike", "MelWeightMatrix");
  private static final List<String> OF_TEXT = List.of("LabelEncoder", "RegexFullMatch", "StringConcat",
    "StringNormalizer", "StringSplit", "TfIdfVectorizer", "TreeEnsemble");

  static final List<GradientRow> ROWS = Stream.of( //
    NOT_YET.stream().map(it -> GradientRow.none(it, "no rule is written yet")), //
    ROUNDED.stream().map(it -> GradientRow.none(it, "it rounds to whole numbers")), //
    zero(CHOSEN, "its results are places"), //
    zero(OF_SHAPES, "no element of an operand is an element of its result"), //
    zero(OF_TEXT, "it looks words or numbers up")).flatMap(it -> it).toList();

  private MissingGradients() {}

  private static Stream<GradientRow> zero(Collection<String> operators, String reason) {
    return operators.stream().map(it -> GradientRow.zero(it, reason));
  }
}
