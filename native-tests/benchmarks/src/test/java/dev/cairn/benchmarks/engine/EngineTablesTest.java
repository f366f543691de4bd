package dev.cairn.benchmarks.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.benchmarks.allocator.arena.OrtArena;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Machine;
import dev.cairn.benchmarks.harness.Origin;
import dev.cairn.benchmarks.harness.Section;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Everything that the benchmark does, with next to nothing to do, and without the systems that it is compared with. No
 * time is looked at.
 */
class EngineTablesTest {
  private static final EngineEffort TINY = new EngineEffort(1, 100, 20, 1000, 2);
  private static final Rivals NOBODY = new Rivals(Optional.empty());

  @Tag("long")
  @Test
  void everyTableMeasuresSomethingAndWithoutMxnetTheVerdictIsShort() {
    assumeTrue(OrtArena.isThere(), "ONNX Runtime has no library for this machine");
    List<Section> sections = EngineBenchmark.TABLES.stream().map(it -> it.measured(NOBODY, TINY)).toList();
    Map<String, Figure> figures = sections.stream().flatMap(it -> it.figures().stream())
      .collect(Collectors.toMap(Figure::key, Function.identity()));
    figures.values().forEach(it -> assertTrue(Double.isFinite(it.value()), it.toString()));
    assertTrue(figures.keySet().containsAll(List.of("write-ns", "2r1w-ns", "reused-ns", "bulk15-ns", "wait-p50us",
      "write-bytes", "pending-bytes", "shutdown-ms", "threads-left", "replay-chain-ns", "replay-bytes")), figures
        .keySet().toString());
    var page = new EnginePage(sections, Rivals.NOT_THERE, EngineRunOptions.parse(List.of("--quick")));
    assertFalse(page.outcome().passed());
    String text = page.text(new Origin(new Machine("Some CPU", 2, 8L << 30, "Linux 6", "25", 0.5),
      LocalDate.of(2026, 2, 3), "run.sh engine"), page.outcome().line("engine"));
    assertTrue(text.contains("| not there |"), text);
    assertTrue(text.contains("mxnet=not-there"), text);
  }

  @Test
  void onlyAWholeRunIsKept() {
    assertThrows(IllegalArgumentException.class, () -> EngineRunOptions.parse(List.of("--quick", "--write")));
    assertThrows(IllegalArgumentException.class, () -> EngineRunOptions.parse(List.of("--nonsense")));
    assertEquals(Path.of("x.jar"), EngineRunOptions.parse(List.of("--library", "x.jar")).library());
  }

  @Test
  void eachTripleIsOfThreeVariables() {
    Triples triples = Triples.of(Workload.FEW_VARIABLES);
    for (int i = 0; i < Triples.COUNT; i++) {
      assertEquals(3, List.of(triples.read(i, 0), triples.read(i, 1), triples.write(i)).stream().distinct().count());
    }
  }
}
