package dev.cairn.benchmarks.planning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Goal;
import dev.cairn.benchmarks.harness.Machine;
import dev.cairn.benchmarks.harness.MarkdownTable;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.planner.BestFitPlanner;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanningPageTest {
  private static final Origin ORIGIN = new Origin(new Machine("P", 2, 1L << 30, "Linux 6", "25, X", 0.5), LocalDate.of(
    2026, 2, 3), "native-tests/benchmarks/run.sh planning");

  private static Section section(double value) {
    return new Section("Title", "What it is.", new MarkdownTable("a", "b").row("c", "1"), List.of(Figure.judged("key",
      value, 2, Goal.atMost(1.01)), Figure.told("other", 3, 0)));
  }

  @Test
  void theWholePage() {
    assertEquals("""
      # Planning: how small plans are, and how fast they are made

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
      """, new PlanningPage(List.of(section(1.02)), List.of("hard"), false).text(ORIGIN, "planning: x"));
    assertTrue(new PlanningPage(List.of(section(1)), List.of(), true).text(ORIGIN, "x").contains("A quick run"));
  }

  @Test
  void theVerdictIsAboutEveryGoalAndEveryTable() {
    assertEquals("planning: key=1.01 other=3 goal=key<=1.01 pass",
      PlanningBenchmark.outcome(List.of(section(1.01)), List
        .of()).line("planning"));
    assertFalse(PlanningBenchmark.outcome(List.of(section(1.02)), List.of()).passed());
    var partly = PlanningBenchmark.outcome(List.of(section(1)), List.of("hard", "traces"));
    assertFalse(partly.passed());
    assertTrue(partly.figures().endsWith("skipped-no-data=hard,traces"), partly.figures());
  }

  @Test
  void optionsAreRead() {
    assertEquals(new PlanningOptions(true, false, List.of("hard", "speed")), PlanningOptions.parse(List.of("--quick",
      "--tables", "hard,speed")));
    assertThrows(IllegalArgumentException.class, () -> PlanningOptions.parse(List.of("--write", "--quick")));
    assertThrows(IllegalArgumentException.class, () -> PlanningOptions.parse(List.of("--all")));
    assertThrows(IllegalArgumentException.class, () -> new PlanningBenchmark().run(List.of("--tables", "none"),
      new Places(Path.of("."), Path.of("."))));
    assertEquals(500, PlanningOptions.parse(List.of("--quick")).effort().budget(10).toMillis());
    assertEquals(10_000, PlanningOptions.parse(List.of()).effort().budget(10).toMillis());
  }

  @Test
  void tablesWithoutTheirDataAreEmpty() throws Exception {
    var nowhere = new Places(Path.of("."), Path.of("/none"));
    assertTrue(new HardSetsTable().measured(nowhere, PlanningEffort.QUICK).isEmpty());
    assertTrue(new TracesTable().measured(nowhere, PlanningEffort.QUICK).isEmpty());
    assertTrue(new PlannersTable().measured(nowhere, PlanningEffort.QUICK).isEmpty());
  }

  @Test
  void generatedProblemsAreOfTheirSizeAndTheSameForTheSameSeed() {
    MemoryProblem problem = GeneratedProblem.of(1000, 7);
    assertEquals(1000, problem.size());
    assertEquals(problem, GeneratedProblem.of(1000, 7));
    assertFalse(problem.equals(GeneratedProblem.of(1000, 8)));
    Timed timed = Timed.of(BestFitPlanner.BY_SIZE, problem, 3);
    assertTrue(timed.score().ratio() >= 1 && timed.millis() > 0);
  }
}
