package dev.cairn.benchmarks.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.benchmarks.harness.Outcome;
import dev.cairn.benchmarks.harness.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole benchmark, on the simulator: that it runs, not how fast. */
class GpuBenchmarkTest {
  private static final Path ROOT = Path.of(System.getProperty("cairn.root", "."));

  @TempDir
  private Path folder;

  @Tag("long")
  @Test
  void everyTableIsMadeOnTheSimulatorAndNoneIsBelieved() throws IOException {
    Assumptions.assumeTrue(Files.exists(ROOT.resolve("native-tests/simulator/target/lib/libcuda.so.1")),
      "skipped: no g++, so there is no simulator");
    Path page = folder.resolve("page.md");
    Outcome outcome = new GpuBenchmark().run(List.of("--device", "sim", "--page", page.toString()), new Places(ROOT,
      folder));
    assertFalse(outcome.passed());
    assertTrue(outcome.figures().startsWith("device=simulated launch-us="), outcome::figures);
    String text = Files.readString(page);
    assertEquals(GpuBenchmark.tables(GpuOptions.parse(List.of())).size(),
      text.lines().filter(it -> it.startsWith("## ")).count());
    for (String figure : List.of("launch-of-native", "graph-launch-us", "graph-kernel-us")) {
      assertTrue(outcome.figures().contains(" " + figure + "="), figure);
      assertTrue(outcome.goals().contains(figure), figure);
    }
    assertTrue(text.contains("**Simulated**"), text);
  }
}
