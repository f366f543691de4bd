package dev.cairn.benchmarks.gpu;

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
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GpuPageTest {
  private static final Origin ORIGIN = new Origin(new Machine("P", 2, 1L << 30, "Linux 6", "25, X", 0.5), LocalDate.of(
    2026, 2, 3), "native-tests/benchmarks/run.sh gpu");

  private static GpuPage page(double micros, boolean simulated) {
    var section = new Section("Launches", "What it is.", new MarkdownTable("a", "b").row("c", "1"), List.of(Figure
      .judged("launch-us", micros, 2, Goal.atMost(4))));
    return new GpuPage(List.of(section), new LinkedHashMap<>(), "cuda:0, G", simulated, simulated);
  }

  @Test
  void theWholePage() {
    assertEquals("""
      # GPU: what Cairn's calls cost beside the driver's own

      Made by `native-tests/benchmarks/run.sh`; do not edit. How, and what is fair: [README](README.md).

      - Command: `native-tests/benchmarks/run.sh gpu`
      - Date: 2026-02-03 (UTC)
      - Machine: P, 2 processors, 1.0 GiB of memory; Linux 6; JDK 25, X; load 0.50 at the start
      - Device: cuda:0, G
      - Verdict: `gpu: x`
      - Goals not reached: `launch-us=5.00`

      ## Launches

      What it is.

      | a | b |
      | --- | ---: |
      | c | 1 |
      """, page(5, false).text(ORIGIN, "gpu: x"));
  }

  @Test
  void nothingPassesOnTheSimulator() {
    assertEquals("gpu: launch-us=3.00 goal=launch-us<=4 pass", page(3, false).outcome().line("gpu"));
    assertFalse(page(5, false).outcome().passed());
    assertEquals("gpu: device=simulated launch-us=3.00 goal=launch-us<=4 short", page(3, true).outcome().line("gpu"));
    String text = page(3, true).text(ORIGIN, "x");
    assertTrue(text.contains("**Simulated**: there was no GPU"), text);
    assertTrue(text.contains("Goals not reached: all, on the simulator"), text);
  }

  @Test
  void nothingPassesWithATableMissing() {
    var failed = new LinkedHashMap<String, String>();
    failed.put("launch", "no memory:\nwantedBytes=1");
    failed.put("graph", "lost");
    var page = new GpuPage(page(3, false).sections(), failed, "cuda:0, G", false, false);
    assertEquals("gpu: failed-tables=launch,graph launch-us=3.00 goal=launch-us<=4 short", page.outcome().line("gpu"));
    String text = page.text(ORIGIN, "x");
    assertTrue(text.contains("- Failed: launch, no memory: wantedBytes=1\n- Failed: graph, lost\n"), text);
    assertFalse(new GpuPage(List.of(), failed, "", false, false).outcome().passed());
  }

  @Test
  void optionsAreRead() {
    assertEquals(new GpuOptions("cuda:0", false, false, Optional.empty(), List.of(), List.of(), Set.of(TorchModel.Mode
      .values())), GpuOptions.parse(List.of()));
    GpuOptions options = GpuOptions.parse(List.of("--device", "cuda:3", "--quick", "--page", "p", "--tables",
      "launch,graph", "--models", "mlp-b1-", "--torch", "eager,graphs"));
    assertEquals(new GpuOptions("cuda:3", true, false, Optional.of(Path.of("p")), List.of("launch", "graph"), List.of(
      "mlp-b1-"), Set.of(TorchModel.Mode.EAGER, TorchModel.Mode.GRAPHS)), options);
    assertTrue(options.wants(ModelCase.tiny().getFirst()) && !options.wants(ModelCase.all().getFirst()));
    assertEquals(3, options.ordinal());
    assertEquals(0, GpuOptions.parse(List.of("--device", "sim")).ordinal());
    assertTrue(options.wants(new LaunchTable()) && !options.wants(new GpuModelsTable(options)));
  }

  @Test
  void wrongOptionsAreRefused() {
    for (List<String> wrong : List.of(List.of("--device", "cpu"), List.of("--device", "cuda:"), List.of("--device",
      "cuda:-1"), List.of("--device", "cuda:99999"), List.of("--all"), List.of("--write", "--quick"),
      List.of("--write",
        "--device", "sim"),
      List.of("--write", "--tables", "graph"), List.of("--page"))) {
      assertThrows(IllegalArgumentException.class, () -> GpuOptions.parse(wrong), wrong::toString);
    }
    assertThrows(IllegalArgumentException.class, () -> new GpuBenchmark().run(List.of("--tables", "none"),
      new Places(Path.of("."), Path.of("."))));
  }

  @Test
  void sidesTakeTurns() {
    var order = new StringBuilder();
    Turns turns = Turns.of(3, List.of(() -> order.append('a').length(), () -> order.append('b').length()));
    assertEquals("baabbaab", order.toString());
    assertEquals(List.of(3.0, 6.0, 7.0), turns.values().get(0));
    assertEquals(List.of(4.0, 5.0, 8.0), turns.values().get(1));
    assertEquals(6, turns.side(0).median());
    assertEquals(7 / 8.0, turns.ratios(0, 1).median());
  }
}
