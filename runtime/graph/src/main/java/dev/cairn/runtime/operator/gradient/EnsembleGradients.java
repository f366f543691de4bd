package dev.cairn.runtime.operator.gradient;

import java.util.List;

/** Ensembles of trees, through which nothing flows. */
final class EnsembleGradients {
  static final List<GradientRow> ROWS = List.of( //
    GradientRow.zero("TreeEnsemble", TextGradients.LOOKED_UP));

  private EnsembleGradients() {}
}
