package dev.cairn.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
  @Test
  void optionsAndTheirValuesComeInTurn() {
    var arguments = new Arguments(List.of("--a", "--b", "7", "--c", "x,y", "--d", "2,1"));
    assertEquals("--a", arguments.next());
    assertEquals("--b", arguments.next());
    assertEquals(7, arguments.number());
    assertEquals("--c", arguments.next());
    assertEquals(List.of("x", "y"), arguments.list());
    assertTrue(arguments.hasNext());
    assertEquals("--d", arguments.next());
    assertEquals(List.of(2, 1), arguments.numbers());
    assertFalse(arguments.hasNext());
  }

  @Test
  void theOptionIsNamedWhoseValueIsWrong() {
    var missing = new Arguments(List.of("--b"));
    assertEquals("--b", missing.next());
    assertEquals("a value is missing: option=--b", assertThrows(IllegalArgumentException.class, missing::value)
      .getMessage());
    var odd = new Arguments(List.of("--b", "7x"));
    assertEquals("--b", odd.next());
    assertEquals("not a whole number: option=--b value=7x", assertThrows(IllegalArgumentException.class, odd::number)
      .getMessage());
  }
}
