package dev.cairn.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresPageTest {
  private static final Origin ORIGIN = new Origin(new Machine("P", 2, 1L << 30, "Linux 6", "25, X", 0.5), LocalDate.of(
    2026, 2, 3), "native-tests/benchmarks/run.sh planning");

  private static Section section(double value) {
    return new Section("Title", "What it is.", new MarkdownTable("a", "b").row("c", "1"), List.of(Figure.judged("key",
      value, 2, Goal.atMost(1.01)), Figure.told("other", 3, 0)));
  }

  private static FiguresPage page(boolean isQuick) {
    return new FiguresPage("planning", "Planning", "What the planners do: [planning](../planning.md).", new PageOptions(
      isQuick, false, List.of()));
  }

  @Test
  void theWholePage() {
    assertEquals("""
      # Planning

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md).
      What the planners do: [planning](../planning.md).

      - Command: `native-tests/benchmarks/run.sh planning`
      - Date: 2026-02-03 (UTC)
      - Machine: P, 2 processors, 1.0 GiB of memory; Linux 6; JDK 25, X; load 0.50 at the start
      - Verdict: `planning: x`
      - Goals not reached: `key=1.02`
      - Skipped, no data: hard

      ## Title

      What it is.

      | a | b |
      | --- | ---: |
      | c | 1 |
      """, page(false).text(List.of(section(1.02)), List.of("hard"), ORIGIN, "planning: x"));
    assertTrue(page(true).text(List.of(section(1)), List.of(), ORIGIN, "x").contains("A quick run"));
  }

  @Test
  void theVerdictIsAboutEveryGoalAndEveryTable() {
    assertEquals("planning: key=1.01 other=3 goal=key<=1.01 pass",
      FiguresPage.outcome(List.of(section(1.01)), List
        .of()).line("planning"));
    assertFalse(FiguresPage.outcome(List.of(section(1.02)), List.of()).passed());
    var partly = FiguresPage.outcome(List.of(section(1)), List.of("hard", "traces"));
    assertFalse(partly.passed());
    assertTrue(partly.figures().endsWith("skipped-no-data=hard,traces"), partly.figures());
  }

  @Test
  void optionsAreRead() {
    assertEquals(new PageOptions(true, false, List.of("hard", "speed")), PageOptions.parse(List.of("--quick",
      "--tables", "hard,speed"), List.of("hard", "speed", "models")));
    assertThrows(IllegalArgumentException.class, () -> PageOptions.parse(List.of("--write", "--quick"), List.of()));
    assertThrows(IllegalArgumentException.class, () -> PageOptions.parse(List.of("--all"), List.of()));
    assertThrows(IllegalArgumentException.class, () -> PageOptions.parse(List.of("--tables", "hard"), List.of()));
    assertThrows(IllegalArgumentException.class, () -> PageOptions.parse(List.of("--tables", "none"), List.of("hard")));
  }
}
