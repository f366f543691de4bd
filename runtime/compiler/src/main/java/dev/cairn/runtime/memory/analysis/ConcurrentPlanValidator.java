package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryProblem;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The judge of plans for several streams. Simulates the run with a vector clock for each stream, as race detectors do
 * (Lamport 1978; Mattern 1989), and looks at every byte range that every step touches: which step wrote it last, which
 * have read it since, and whether stream order and events order them. Knows nothing of lifetimes and conflicts, and
 * shares no code with the analysis that finds them; {@link dev.cairn.runtime.memory.PlanValidator} must have accepted
 * the plan.
 */
public final class ConcurrentPlanValidator {
  /** Faults listed at most. */
  public static final int MAX_FAULTS = 1_000;

  private ConcurrentPlanValidator() {}

  /** All that is wrong with the plan, empty when it is valid, in the order of steps. */
  public static List<ConcurrencyFault> validate(MemoryProblem problem, MemoryPlan plan, StreamSchedule schedule) {
    return new SimulatedRun(problem, plan, schedule, MAX_FAULTS).faults();
  }

  /**
   * The plan itself, when it is valid.
   *
   * @throws IllegalStateException naming the planner and the first faults otherwise
   */
  public static MemoryPlan requireValid(MemoryProblem problem, MemoryPlan plan, StreamSchedule schedule) {
    List<ConcurrencyFault> faults = validate(problem, plan, schedule);
    if (!faults.isEmpty()) {
      throw new IllegalStateException(faults.stream().limit(10).map(ConcurrencyFault::toString).collect(Collectors
        .joining("; ", "plan invalid on several streams: planner=%s streams=%d faults=%d: ".formatted(plan.planner(),
          schedule.streams(), faults.size()), "")));
    }
    return plan;
  }
}
