package dev.cairn.runtime.operator.gradient;

import java.util.List;

/** Operators of texts, through which nothing flows. */
final class TextGradients {
  /** Why the gradient of an operator of tables is zero. */
  static final String LOOKED_UP = "it looks words or numbers up";

  static final List<GradientRow> ROWS = List.of( //
    GradientRow.zero("CategoryMapper", LOOKED_UP), //
    GradientRow.zero("LabelEncoder", LOOKED_UP), //
    GradientRow.zero("RegexFullMatch", LOOKED_UP), //
    GradientRow.zero("StringConcat", LOOKED_UP), //
    GradientRow.zero("StringNormalizer", LOOKED_UP), //
    GradientRow.zero("StringSplit", LOOKED_UP), //
    GradientRow.zero("TfIdfVectorizer", LOOKED_UP), //
    GradientRow.zero("Tokenizer", LOOKED_UP));

  private TextGradients() {}
}
