package dev.cairn.runtime.operator.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** G-5: every operator has a gradient, or a reason why it is zero or why there is none. */
class GradientTableTest {
  private static final GradientTable TABLE = StandardGradients.table();

  @Test
  void everyOperatorHasARow() {
    SortedSet<String> without = new TreeSet<>(StandardOperators.table().names());
    without.removeAll(TABLE.names());
    assertThat(without).isEmpty();
  }

  @Test
  void everyRowIsOfAnOperator() {
    assertThat(StandardOperators.table().names()).containsAll(TABLE.names());
  }

  @Test
  void rowsWithoutGradientSayWhy() {
    for (String name : TABLE.names()) {
      GradientRow row = TABLE.find(name).orElseThrow();
      assertThat(row.reason().isEmpty()).as(name).isEqualTo(row.rule().isPresent() && !row.isZero());
    }
  }

  @Test
  void aRowOfAUserTakesThePlaceOfCairnsOwn() {
    GradientRow own = GradientRow.none("Relu", "mine");
    assertThat(TABLE.with(own).find("Relu")).isEqualTo(Optional.of(own));
    assertThatIllegalArgumentException().isThrownBy(() -> new GradientTable(List.of(own, own))).withMessageContaining(
      "operator=Relu");
  }
}
