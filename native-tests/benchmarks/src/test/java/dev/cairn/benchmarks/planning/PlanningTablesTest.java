package dev.cairn.benchmarks.planning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.benchmarks.harness.Places;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.planner.BestFitPlanner;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PlanningTablesTest {
  @Test
  void aQuickRunGivesPlannersLittleTime() {
    assertEquals(500, PlanningEffort.QUICK.budget(10).toMillis());
    assertEquals(10_000, PlanningEffort.FULL.budget(10).toMillis());
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
