package dev.cairn.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a use of an operator allows the planner. */
class MemoryTraitsTest {
  @ParameterizedTest
  @ValueSource(strings = {"nodes", "in_place"})
  void anAttributeOfAUsersOperatorIsNoNoteOfFusion(String name) {
    assertThat(MemoryTraits.FIRST_IN_PLACE.of(Attributes.NONE.with(name, 3))).isEqualTo(MemoryTraits.FIRST_IN_PLACE);
  }

  @Test
  void aFusedNodeAllowsWhatFusionNoted() {
    Attributes noted = Attributes.NONE.with("nodes", new AttributeValue.Texts(List.of("a", "b"))).with("in_place",
      AttributeValue.Ints.of(1, 0));
    assertThat(MemoryTraits.EITHER_IN_PLACE.of(noted).inPlace()).containsExactly(new MemoryTraits.Pair(1, 0));
  }
}
