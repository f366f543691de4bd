package dev.cairn.runtime.operator.gradient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.operator.family.StandardOperators;
import org.junit.jupiter.api.Test;

/** G-5: every operator has a gradient, or a reason why it is zero or why there is none. */
class OperatorGradientTest {
  @Test
  void everyRowHasAGradientOrSaysWhyNot() {
    assertThat(StandardOperators.table().rows()).allSatisfy(row -> {
      OperatorGradient gradient = row.facts().gradient();
      boolean isBuilt = gradient.rule().isPresent() && !gradient.isZero();
      assertThat(gradient.reason().isEmpty()).as(row.name()).isEqualTo(isBuilt);
    });
  }
}
