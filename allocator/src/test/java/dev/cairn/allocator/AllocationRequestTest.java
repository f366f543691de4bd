package dev.cairn.allocator;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AllocationRequestTest {
  @Test
  @SuppressWarnings("NullAway")
  void nobodyIsAnOwnerButNullIsNot() {
    assertThatThrownBy(() -> AllocationRequest.of(256, null)).isInstanceOf(NullPointerException.class)
      .hasMessage("owner");
  }
}
