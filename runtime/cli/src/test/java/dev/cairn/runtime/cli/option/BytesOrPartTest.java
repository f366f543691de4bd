package dev.cairn.runtime.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.runtime.compile.MemoryNeed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BytesOrPartTest {
  /** A limit that the weights cannot be placed in would leave no way: a part is of the plan alone. */
  @ParameterizedTest
  @CsvSource({"100%, 0, 164", "60%, 0, 144", "0%, 0, 114", "60%, 30, 144", "60%, 90, 200", "100%, 90, 200", "7, 90, 7"})
  void aPartLeavesRoomForAllButThePlan(String limit, long scratchBytes, long bytes) {
    var need = new MemoryNeed(100, 10, 50, 0, 4, scratchBytes);
    assertThat(BytesOrPart.parse(limit).limit(need)).isEqualTo(bytes);
  }
}
