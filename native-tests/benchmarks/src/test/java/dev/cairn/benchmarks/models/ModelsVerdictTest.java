package dev.cairn.benchmarks.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.benchmarks.harness.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModelsVerdictTest {
  /** Peaks of memory are 300 and 200 MB in all made-up figures. */
  @Test
  void everyGoalIsJudged() {
    Outcome outcome = ModelsVerdict.of(List.of(
      Figures.model("mlp", 1000, Figures.comparison(2, 10, 20), Figures.comparison(1, 10, 10)),
      Figures.model("resnet50", 1210, Figures.comparison(2, 150, 75), Figures.comparison(1, 200, 50))), List.of(),
      Figures.machine(false));
    assertEquals("models: models=2 plan/bound=1.10 least-speedup@2=0.50 speedup@2=1.00 memory@2=1.50 open@2=1.00 "
      + "least-speedup@1=0.25 speedup@1=0.50 memory@1=1.50 open@1=1.00 first-result-s=1.25 "
      + "goal=plan/bound<=1.01,least-speedup@2>=0.97,"
      + "speedup@2>=1.15,memory@2<=1.00,open@2<=1.20,least-speedup@1>=0.97,speedup@1>=1.15,memory@1<=1.00,open@1<=1.20,"
      + "first-result-s<=2.00 short", outcome.line("models"));
  }

  private static Outcome withLessMemory(long peakBytes, double... millis) {
    Comparison given = Figures.comparison(2, millis);
    List<Comparison.Round> rounds = given.rounds().stream().map(it -> new Comparison.Round(Figures.measurement(
      EngineChoice.CAIRN, it.cairn().millis(), 100), it.ort())).toList();
    return ModelsVerdict.of(List.of(Figures.model("mlp", peakBytes, new Comparison(2, 1, rounds))), List.of(), Figures
      .machine(false));
  }

  @Test
  void eitherGoalAloneCanFallShort() {
    assertTrue(withLessMemory(1000, 10, 12).passed());
    assertFalse(withLessMemory(1100, 10, 12).passed());
    assertFalse(withLessMemory(1000, 10, 11).passed());
    assertFalse(ModelsVerdict.of(List.of(Figures.model("mlp", 1000, Figures.comparison(2, 10, 12))), List.of(),
      Figures.machine(false)).passed());
  }

  @Test
  void oneBadRoundDoesNotDecide() {
    assertTrue(withLessMemory(1000, 10, 12, 900, 12, 10, 12).passed());
  }

  @Test
  void whatIsMissingIsSaid() {
    Outcome other = ModelsVerdict.of(List.of(Figures.model("mlp", 1000, Figures.comparison(2, 1, 1))),
      List.of("light_vgg19"), Figures.machine(false));
    assertTrue(other.figures().contains("skipped-no-data=1"), other.figures());
  }

  /** 1.6 times as fast: a goal where the processor has AMX, else a figure without one. */
  @Test
  void bfloat16IsJudgedWhereTheProcessorHasAmx() {
    ModelFigures plain = Figures.model("resnet50", 1000, Figures.comparison(2, 10, 12));
    var model = new ModelFigures(plain.name(), plain.plan(), plain.comparisons(), Optional.empty(), Optional.of(Figures
      .comparison(2, 5, 8)), Map.of());
    Outcome with = ModelsVerdict.of(List.of(model), List.of(), Figures.machine(true));
    assertTrue(with.figures().contains(" bfloat16-resnet50=1.60") && with.goals().contains("bfloat16-resnet50>=2.00"),
      with.line("models"));
    Outcome without = ModelsVerdict.of(List.of(model), List.of(), Figures.machine(false));
    assertTrue(without.figures().contains(" bfloat16-without-amx-resnet50=1.60"), without.figures());
    assertFalse(without.goals().contains("bfloat16"), without.goals());
  }
}
