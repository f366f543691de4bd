package dev.cairn.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class OutcomeTest {
  @Test
  void isOneLine() {
    assertEquals("models: a=1 b=2 goal=a<=3 pass", new Outcome("a=1 b=2", "a<=3", true).line("models"));
    assertEquals("models: a=4 goal=a<=3 short", new Outcome("a=4", "a<=3", false).line("models"));
    assertThrows(IllegalArgumentException.class, () -> new Outcome("a=1\nb=2", "a<=3", true));
  }
}
