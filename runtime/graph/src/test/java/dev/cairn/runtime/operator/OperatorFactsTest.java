package dev.cairn.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The columns of each row agree with each other. */
class OperatorFactsTest {
  static Stream<OperatorDefinition> rows() {
    return StandardOperators.table().rows().stream();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void anOperatorHasAtMostOnePrecision(OperatorDefinition row) {
    assertThat(row.facts().has(OperatorTrait.HALF) && row.facts().has(OperatorTrait.FOLLOWS_HALF)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aProductCountsItsWork(OperatorDefinition row) {
    assertThat(row.facts().isHeavy() || !row.facts().has(OperatorTrait.PRODUCT)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void anotherShapeOfTheSameElementsLiesInTheSameBytes(OperatorDefinition row) {
    assertThat(row.memory().of(Attributes.NONE).alias() || !row.facts().has(OperatorTrait.RESHAPES)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void drawsAreReadFromTheLastInputWhichIsOptional(OperatorDefinition row) {
    if (row.facts().draws()) {
      assertThat(row.facts().draw()).isEqualTo(row.maxInputs() - 1).isGreaterThanOrEqualTo(row.minInputs());
    }
  }
}
