package dev.cairn.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

class RoundsTest {
  @Test
  void everyRoundTurnsTheOrderAroundAndTheFirstDoesNotCount() {
    List<String> order = new ArrayList<>();
    Rounds played = Rounds.played(3, List.of(contestant("a", order), contestant("b", order)));
    assertEquals(List.of("b", "a", "a", "b", "b", "a", "a", "b"), order);
    assertEquals(List.of(List.of(3.0, 6.0, 7.0), List.of(4.0, 5.0, 8.0)), played.scores());
  }

  @Test
  void ratiosAreOfOneRoundEach() {
    var rounds = new Rounds(List.of(List.of(10.0, 1.0, 100.0), List.of(20.0, 1.0, 400.0)));
    assertEquals(List.of(0.25, 0.5, 1.0), rounds.ratios(0, 1).values());
    assertEquals(2, rounds.ratios(1, 0).median());
  }

  @Test
  void aSlowRoundForBothMovesNoRatio() {
    var rounds = new Rounds(List.of(List.of(5.0, 5000.0, 5.0), List.of(10.0, 10000.0, 10.0)));
    assertEquals("0.50 (0.50..0.50)", rounds.ratios(0, 1).withSpread());
  }

  @Test
  void allHaveAsManyRounds() {
    assertThrows(IllegalArgumentException.class, () -> new Rounds(List.of(List.of(1.0), List.of(1.0, 2.0))));
    assertThrows(IllegalArgumentException.class, () -> new Rounds(List.of(List.of(), List.of())));
    assertThrows(IllegalArgumentException.class, () -> new Rounds(List.of()));
  }

  private static DoubleSupplier contestant(String name, List<String> order) {
    return () -> {
      order.add(name);
      return order.size();
    };
  }
}
