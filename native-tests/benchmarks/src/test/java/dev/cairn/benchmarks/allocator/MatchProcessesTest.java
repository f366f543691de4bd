package dev.cairn.benchmarks.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.benchmarks.harness.Rounds;
import java.util.List;
import org.junit.jupiter.api.Test;

class MatchProcessesTest {
  private static final List<String> LINES = List.of("pair 1.5 2", "pair 3 4", "replace@10 5 6", "pair 7 8");

  @Test
  void aMatchHasTheRoundsOfAllProcesses() {
    assertEquals(new Rounds(List.of(List.of(1.5, 3.0, 7.0), List.of(2.0, 4.0, 8.0))),
      MatchProcesses.rounds("pair", 3, LINES));
    assertEquals(new Rounds(List.of(List.of(5.0), List.of(6.0))), MatchProcesses.rounds("replace@10", 1, LINES));
  }

  @Test
  void roundsThatNobodyPlayedAreMissed() {
    assertThrows(IllegalStateException.class, () -> MatchProcesses.rounds("replace@1", 1, LINES));
    assertThrows(IllegalStateException.class, () -> MatchProcesses.rounds("pair", 4, LINES));
  }
}
