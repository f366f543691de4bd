package dev.cairn.runtime.operator.gradient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.family.StandardOperators;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** G-5: every operator has a gradient, or a reason why it is zero or why there is none. */
class OperatorGradientTest {
  static Iterable<OperatorDefinition> rows() {
    return StandardOperators.table().rows();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void everyRowHasAGradientOrSaysWhyNot(OperatorDefinition row) {
    OperatorGradient gradient = row.facts().gradient();
    assertThat(gradient.reason().isEmpty()).as(row.name()).isEqualTo(gradient.rule().isPresent() && !gradient.isZero());
  }
}
