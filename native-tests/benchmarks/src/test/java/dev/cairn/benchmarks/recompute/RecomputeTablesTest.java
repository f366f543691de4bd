package dev.cairn.benchmarks.recompute;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RecomputeTablesTest {
  private static final Places NOWHERE = new Places(Path.of("."), Path.of("/none"));

  @Test
  void tablesWithoutTheirDataAreEmpty() throws Exception {
    assertTrue(new PublishedTable().measured(NOWHERE, true).isEmpty());
  }

  @Tag("long")
  @Test
  void iterationsThatRunWithinALimitHaveEqualLosses() {
    Section section = new IterationsTable().measured(NOWHERE, true).orElseThrow();
    assertTrue(section.table().toString().contains("| mlp@85 | 1"), section.toString());
  }

  @Test
  void refusesUnknownTables() {
    assertThrows(IllegalArgumentException.class,
      () -> new RecomputeBenchmark().run(List.of("--tables", "none"), NOWHERE));
  }
}
