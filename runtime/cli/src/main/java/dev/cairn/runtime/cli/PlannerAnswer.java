package dev.cairn.runtime.cli;

import dev.cairn.allocator.report.StatsText;
import dev.cairn.runtime.cli.text.FigureText;
import dev.cairn.runtime.compile.PlannerChoice;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanScore;
import dev.cairn.runtime.memory.PlanValidator;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One planner's answer to a problem, judged.
 *
 * @param plan empty when the problem asks for what the planner doesn't know
 * @param score of the plan
 * @param refusal why there is no plan; empty when there is one
 * @param nanos how long it thought
 */
record PlannerAnswer(PlannerChoice planner, Optional<MemoryPlan> plan, Optional<PlanScore> score, String refusal,
  long nanos) {

  static PlannerAnswer of(PlannerChoice planner, MemoryProblem problem, Duration budget) {
    long started = System.nanoTime();
    try {
      MemoryPlan plan = planner.planner(budget).plan(problem);
      long nanos = System.nanoTime() - started;
      PlanValidator.requireValid(problem, plan);
      return new PlannerAnswer(planner, Optional.of(plan), Optional.of(PlanScore.of(problem, plan)), "", nanos);
    } catch (IllegalArgumentException e) {
      return new PlannerAnswer(planner, Optional.empty(), Optional.empty(), String.valueOf(e.getMessage()),
        System.nanoTime() - started);
    }
  }

  String peakText() {
    return score.map(it -> StatsText.bytes(it.peakBytes())).orElse("- (" + refusal + ")");
  }

  String ratioText() {
    return score.map(it -> PlanComparison.ratio(it.ratio())).orElse("");
  }

  String timeText() {
    return FigureText.millis(nanos);
  }

  Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    score.ifPresentOrElse(it -> {
      document.put("peakBytes", it.peakBytes());
      document.put("ratio", it.ratio());
    }, () -> document.put("refused", refusal));
    document.put("nanos", nanos);
    return document;
  }
}
