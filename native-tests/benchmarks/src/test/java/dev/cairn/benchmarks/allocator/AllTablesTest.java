package dev.cairn.benchmarks.allocator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.benchmarks.allocator.arena.OrtArena;
import dev.cairn.benchmarks.harness.Figure;
import dev.cairn.benchmarks.harness.Section;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Everything that the benchmark does, with next to nothing to do. No time is looked at. */
class AllTablesTest {
  private static final Effort TINY = new Effort(1, 2, 1, 1, 1000, 200, List.of(50, 500), 100, 10, 2);

  @Tag("long")
  @Test
  void everyTableMeasuresSomething() throws IOException, InterruptedException {
    assumeTrue(OrtArena.isThere(), "ONNX Runtime has no library for this machine");
    List<Section> sections = new ArrayList<>();
    for (FigureTable table : AllocatorBenchmark.TABLES) {
      sections.add(table.measured(TINY));
    }
    Map<String, Figure> figures = sections.stream().flatMap(it -> it.figures().stream()).collect(
      Collectors.toMap(Figure::key, Function.identity()));
    figures.values().forEach(it -> assertTrue(Double.isFinite(it.value()) && it.value() >= 0, it.toString()));
    assertTrue(figures.keySet().containsAll(List.of("pair", "batch", "delayed", "replace@50", "replace@500",
      "drain@500", "too-small-speedup", "same-chunk", "threads@4/one-lock")), figures.keySet().toString());
    assertEquals("same-chunk=1.000000", String.valueOf(figures.get("same-chunk")));
    var page = new AllocatorPage(sections, new AllocatorOptions(true, false, List.of(), TINY));
    assertFalse(page.outcome().line("allocator").contains("\n"));
  }
}
