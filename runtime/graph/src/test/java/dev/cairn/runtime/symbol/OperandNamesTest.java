package dev.cairn.runtime.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.operator.family.StandardOperators;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperandNamesTest {
  @Test
  void everyOperatorHasAsManyNamesAsOperands() {
    for (String name : StandardOperators.table().names()) {
      var row = StandardOperators.table().get(name);
      if (row.maxInputs() < 100) {
        assertThat(row.arguments()).as("names of the operands of %s: add named(...) to its row", name)
          .hasSizeGreaterThanOrEqualTo(row.minInputs());
        Symbol symbol = Symbol.compose("n", name, Attributes.NONE, 1, Map.of());
        assertThat(symbol.internals().outputs()).as(name).hasSize(row.minInputs() + 1);
      }
    }
  }
}
