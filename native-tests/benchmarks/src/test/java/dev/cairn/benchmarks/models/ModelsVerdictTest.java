package dev.cairn.benchmarks.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.benchmarks.harness.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelsVerdictTest {
  @Test
  void bothGoalsAreJudgedAndTheRestIsShown() {
    Outcome outcome = ModelsVerdict.of(List.of(
      Figures.model("mlp", 1000, Figures.comparison(2, 10, 20), Figures.comparison(1, 10, 10)),
      Figures.model("resnet50", 1210, Figures.comparison(2, 150, 75), Figures.comparison(1, 200, 50))), List.of());
    assertEquals("models: models=2 plan/bound=1.1000 plan/naive=0.2750 resnet50@2=150.0ms speedup@2=1.00 memory@2=1.50 "
      + "speedup@1=0.50 memory@1=1.50 goal=plan/bound<=1.10,resnet50@2<=150ms pass", outcome.line("models"));
  }

  @Test
  void eitherGoalAloneCanFallShort() {
    assertFalse(verdict(1101, 100).passed());
    assertFalse(verdict(1000, 150.1).passed());
    assertTrue(verdict(1000, 149.9).passed());
  }

  @Test
  void oneBadRoundDoesNotDecide() {
    assertTrue(
      ModelsVerdict.of(List.of(Figures.model("resnet50", 1000, Figures.comparison(2, 70, 40, 900, 40, 71, 40))),
        List.of()).passed());
  }

  @Test
  void whatWasNotMeasuredIsSaid() {
    Outcome other = ModelsVerdict.of(List.of(Figures.model("mlp", 1000, Figures.comparison(2, 1, 1))),
      List.of("light_vgg19"));
    assertTrue(other.figures().contains("resnet50@2=not-measured") && other.figures().contains("skipped-no-data=1"),
      other
        .figures());
    assertEquals("plan/bound<=1.10", other.goals());
    Outcome alone = ModelsVerdict.of(List.of(Figures.model("resnet50", 1000, Figures.comparison(1, 900, 1))),
      List.of());
    assertTrue(alone.figures().contains("resnet50@2=not-measured"), alone.figures());
  }

  private static Outcome verdict(long peakBytes, double millis) {
    return ModelsVerdict.of(List.of(Figures.model("resnet50", peakBytes, Figures.comparison(2, millis, 40))),
      List.of());
  }
}
