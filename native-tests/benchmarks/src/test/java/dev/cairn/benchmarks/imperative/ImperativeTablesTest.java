package dev.cairn.benchmarks.imperative;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.benchmarks.harness.Machine;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import dev.cairn.benchmarks.harness.Section;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Everything that the benchmark does, with next to nothing to do, and without the systems that it is compared with. No
 * time is looked at.
 */
class ImperativeTablesTest {
  @Tag("long")
  @Test
  void everyTableMeasuresSomethingAndWithoutOthersTheVerdictIsShort() {
    List<Section> sections = ImperativeBenchmark.sections(Map.of(), new ImperativeEffort(1, 1, 10_000, 1));
    sections.stream().flatMap(it -> it.figures().stream()).forEach(it -> assertTrue(Double.isFinite(it.value()), it
      .toString()));
    Outcome outcome = ImperativeBenchmark.outcome(sections, Map.of());
    assertFalse(outcome.passed());
    for (String key : List.of("call-ns=", "result-ns=", "bulk15-ns=", "fused131072/calls=", "fused1048576-bytes/calls=",
      "bytes=", "calls/session=", "arrays/session=",
      "cached/session=", "tape-us=", "level-bytes=0", "level-storages=0", "mxnet=not-there", "djl=not-there")) {
      assertTrue(outcome.figures().contains(key), outcome.figures());
    }
    String page = ImperativeBenchmark.page(new Origin(new Machine("Some CPU", 2, 8L << 30, "Linux 6", "25", 0.5),
      LocalDate.of(2026, 2, 3), "run.sh imperative"), sections, Map.of(), outcome);
    assertTrue(page.contains("- `djl`: not there\n"), page);
  }

  @Test
  void onlyAWholeRunIsKept() {
    var places = new Places(Path.of("."), Path.of("."));
    assertThrows(IllegalArgumentException.class, () -> new ImperativeBenchmark().run(List.of("--quick", "--write"),
      places));
    assertThrows(IllegalArgumentException.class, () -> new ImperativeBenchmark().run(List.of("--nonsense"), places));
  }
}
