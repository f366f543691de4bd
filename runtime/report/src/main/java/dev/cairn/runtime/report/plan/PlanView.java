package dev.cairn.runtime.report.plan;

import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.PlanScore;
import java.util.List;
import java.util.Optional;

/**
 * The shown facts of a plan. A value; the plan is taken to be valid.
 *
 * @param title what was planned: a model's name, a file's
 * @param timeUnit what times count: {@code step}, or {@code time} where that is not known
 * @param labels by buffer index
 * @param run what a run in this plan held, to be drawn over it; empty where none was recorded
 */
public record PlanView(String title, String timeUnit, MemoryProblem problem, MemoryPlan plan,
  List<BufferLabel> labels, Optional<RunMemory> run) {
  public PlanView {
    labels = List.copyOf(labels);
    if (labels.size() != problem.size() || plan.placements().size() != problem.size()) {
      throw new IllegalArgumentException("labels, placements and buffers differ: labels=%d placements=%d buffers=%d"
        .formatted(labels.size(), plan.placements().size(), problem.size()));
    }
  }

  /** Without a run. */
  public PlanView(String title, String timeUnit, MemoryProblem problem, MemoryPlan plan, List<BufferLabel> labels) {
    this(title, timeUnit, problem, plan, labels, Optional.empty());
  }

  /** The same with a run over it. */
  public PlanView withRun(RunMemory memory) {
    return new PlanView(title, timeUnit, problem, plan, labels, Optional.of(memory));
  }

  /** A view of a problem of which only the buffers are known. */
  public static PlanView of(String title, MemoryProblem problem, MemoryPlan plan) {
    return new PlanView(title, "time", problem, plan, problem.buffers().stream().map(it -> BufferLabel.named(it.name()))
      .toList());
  }

  public PlanScore score() {
    return PlanScore.of(problem, plan);
  }

  public LowerBound bound() {
    return LowerBound.of(problem);
  }
}
