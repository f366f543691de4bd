package dev.cairn.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FigureTest {
  @Test
  void aGoalIsReachedAtItsBound() {
    assertTrue(Goal.atMost(0.6).isReachedBy(0.6));
    assertFalse(Goal.atMost(0.6).isReachedBy(0.600001));
    assertTrue(Goal.atLeast(1000).isReachedBy(1000));
    assertFalse(Goal.atLeast(1000).isReachedBy(999.9));
  }

  @Test
  void whatIsNoNumberReachesNothing() {
    assertFalse(Goal.atMost(0.6).isReachedBy(Double.NaN));
    assertFalse(Goal.atLeast(0.6).isReachedBy(Double.NaN));
  }

  @Test
  void goalsPrintAsTheyAreSaid() {
    assertEquals("<=0.6", Goal.atMost(0.6).toString());
    assertEquals(">=1000", Goal.atLeast(1000).toString());
    assertEquals("<=0", Goal.atMost(0).toString());
  }

  @Test
  void judgedIsWhatIsMeasuredAndNotWhatIsPrinted() {
    Figure figure = Figure.judged("pair", 0.604, 1, Goal.atMost(0.6));
    assertEquals("pair=0.6", figure.toString());
    assertTrue(figure.isShort());
  }

  @Test
  void aFigureWithoutAGoalIsNeverShort() {
    assertFalse(Figure.told("call", 1e9, 2).isShort());
    assertEquals("call=1000000000.00", Figure.told("call", 1e9, 2).toString());
  }
}
