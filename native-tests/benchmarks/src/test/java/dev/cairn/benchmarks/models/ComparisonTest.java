package dev.cairn.benchmarks.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.benchmarks.harness.ChildJvm;
import dev.cairn.benchmarks.harness.Places;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
  private static final double EXACT = 1e-12;

  @TempDir
  private Path folder;

  /** The machine was half as fast in the second round: the ratio of the medians would be 1, the median ratio is 2. */
  @Test
  void theSpeedupIsTheMedianOfTheRoundsRatios() {
    Comparison comparison = Figures.comparison(2, 10, 20, 40, 80, 20, 20);
    assertEquals(2, comparison.speedups().median(), EXACT);
    assertEquals(1, comparison.speedups().min(), EXACT);
    assertEquals(20, comparison.cairn(Measurement::millis), EXACT);
    assertEquals(20, comparison.ort(Measurement::millis), EXACT);
    assertEquals(1.5, comparison.memoryRatio(), EXACT);
  }

  @Test
  void timesOfDifferentComputationsAreNotCompared() {
    Measurement cairn = Figures.measurement(EngineChoice.CAIRN, 1, 1);
    var other = new Measurement(EngineChoice.ORT, 1, 1, 1, 1, 1, new OutputDigest(0.6, 0));
    assertThrows(IllegalStateException.class, () -> new Comparison.Round(cairn, other));
  }

  @Tag("long")
  @Test
  void measuresBothEnginesInProcessesOfTheirOwn() throws IOException, InterruptedException {
    Path file = new Subject.Reference("mlp").file(folder);
    var options = new ModelsOptions(true, false, List.of(1), List.of(), 2, false, false);
    Comparison comparison = Comparison.measured(EngineChoice.CAIRN, file, 1, 2, options,
      new ChildJvm(folder, Duration.ofDays(1)));
    assertEquals(2, comparison.rounds().size());
    for (Comparison.Round round : comparison.rounds()) {
      assertEquals(EngineChoice.CAIRN, round.cairn().engine());
      assertEquals(EngineChoice.ORT, round.ort().engine());
      assertSane(round.cairn());
      assertSane(round.ort());
      assertTrue(round.cairn().outputs().meanMagnitude() > 0 && round.cairn().outputs().notFinite() == 0);
    }
  }

  private static void assertSane(Measurement one) {
    assertTrue(one.iterations() >= 5 && one.openNanos() > 0 && one.medianNanos() > 0 && one.peakBytes() > 1 << 20,
      one.toString());
    assertTrue(one.p90Nanos() >= one.medianNanos(), one.toString());
  }

  @Test
  void planFiguresOfAModelAreThoseOfItsPlan() throws IOException {
    PlanFigures plan = PlanFigures.of(new Subject.Reference("mlp").file(folder), 3);
    assertTrue(
      plan.boundBytes() > 0 && plan.boundBytes() <= plan.peakBytes() && plan.peakBytes() <= plan.separateBytes(),
      plan.toString());
    assertTrue(plan.ofBound() >= 1 && plan.ofSeparate() <= 1 && plan.buffers() > 0 && plan.steps() > 0,
      plan.toString());
  }

  @Test
  void allFourteenModelsHaveNamesOfTheirOwn() {
    List<String> names = Subject.all(new Places(folder, folder)).stream().map(Subject::name).toList();
    assertEquals(14, names.stream().distinct().count());
    assertTrue(names.contains("resnet50") && names.contains("light_resnet50"), names.toString());
    assertEquals(5, Subject.all(new Places(folder, folder)).stream().filter(Subject::isThere).count());
  }
}
