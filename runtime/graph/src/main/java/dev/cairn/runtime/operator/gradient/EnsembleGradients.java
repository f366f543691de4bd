package dev.cairn.runtime.operator.gradient;

import java.util.List;

/** Operators of classic machine learning, through which nothing flows. */
final class EnsembleGradients {
  static final List<GradientRow> ROWS = List.of( //
    GradientRow.none("FeatureVectorizer", "no layer of a network joins features by it"), //
    GradientRow.zero("OneHotEncoder", TextGradients.LOOKED_UP), //
    GradientRow.none("SVMClassifier", "support vectors are not trained by gradients"), //
    GradientRow.none("SVMRegressor", "support vectors are not trained by gradients"), //
    GradientRow.zero("TreeEnsemble", TextGradients.LOOKED_UP), //
    GradientRow.zero("TreeEnsembleClassifier", TextGradients.LOOKED_UP), //
    GradientRow.zero("TreeEnsembleRegressor", TextGradients.LOOKED_UP));

  private EnsembleGradients() {}
}
