package dev.cairn.benchmarks.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class EffortTest {
  @Test
  void aWordTellsAllOfIt() {
    var allDifferent = new Effort(1, 2, 3, 4, 5_000, 6, List.of(7, 8, 9), 10, 11, 12);
    assertEquals(allDifferent, Effort.parse(allDifferent.toString()));
    assertEquals(Effort.FULL, Effort.parse(Effort.FULL.toString()));
    assertThrows(NumberFormatException.class, () -> Effort.parse("many"));
  }

  @Test
  void everyProcessPlaysAsManyRoundsAndAllNoFewerThanWanted() {
    Effort five = Effort.FULL.withRounds(9);
    assertEquals(2, five.roundsOfAProcess(9));
    assertEquals(10, five.roundsOfAll(9));
    assertEquals(2, five.roundsOfAProcess(10));
    assertEquals(2, five.roundsOfAProcess(1));
    assertEquals(4, five.roundsOfAProcess(11));
    assertEquals(6, five.roundsOfAProcess(five.manyRounds()));
  }
}
