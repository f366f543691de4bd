package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Validates plans. It compares each pair of buffers that are live at the same step, and shares no code with any
 * planner. 30,000 buffers that are all live at once take about a second; usual problems far less.
 */
public final class PlanValidator {
  /** The most overlaps to list; a completely wrong plan would list millions. */
  public static final int MAX_OVERLAPS = 1_000;

  private PlanValidator() {}

  /**
   * All faults of a plan; empty if it is valid. First come faults of single buffers by index, then of groups, then
   * overlaps by their first step, then conflicts. The last two list each pair once, and at most {@value #MAX_OVERLAPS}
   * pairs.
   */
  public static List<Fault> validate(MemoryProblem problem, MemoryPlan plan) {
    List<Fault> faults = new ArrayList<>();
    int size = Math.max(problem.size(), plan.placements().size());
    for (int i = 0; i < size; i++) {
      if (i >= plan.placements().size()) {
        faults.add(new Fault.MissingPlacement(problem.buffer(i).name()));
      } else if (i >= problem.size()) {
        faults.add(new Fault.ExtraPlacement(i, plan.placements().get(i)));
      } else {
        judgeAlone(problem.buffer(i), plan.placements().get(i), plan.pools(), faults);
      }
    }
    problem.groups().forEach(group -> judgeGroup(problem, group, plan, faults));
    faults.addAll(new OverlapJudge(problem, plan, MAX_OVERLAPS).judge());
    return List.copyOf(faults);
  }

  /**
   * Returns a valid plan.
   *
   * @throws IllegalStateException with the planner and the first faults, when the plan is invalid
   */
  public static MemoryPlan requireValid(MemoryProblem problem, MemoryPlan plan) {
    List<Fault> faults = validate(problem, plan);
    if (!faults.isEmpty()) {
      throw new IllegalStateException(faults.stream().limit(10).map(Fault::toString).collect(Collectors
        .joining("; ", "invalid memory plan: planner=%s faults=%d: ".formatted(plan.planner(), faults.size()), "")));
    }
    return plan;
  }

  private static void judgeAlone(Buffer buffer, Placement placement, List<Pool> pools, List<Fault> faults) {
    long offset = placement.offset();
    if (offset < 0) {
      faults.add(new Fault.NegativeOffset(buffer.name(), offset));
    }
    if (offset % buffer.alignment() != 0) {
      faults.add(new Fault.Misaligned(buffer.name(), offset, buffer.alignment()));
    }
    if (buffer.fixedOffset().isPresent() && offset != buffer.fixedOffset().getAsLong()) {
      faults.add(new Fault.NotWhereFixed(buffer.name(), offset, buffer.fixedOffset().getAsLong()));
    }
    if (placement.pool() < 0 || placement.pool() >= pools.size()) {
      faults.add(new Fault.NoSuchPool(buffer.name(), placement.pool(), pools.size()));
      return;
    }
    judgePool(buffer, placement, pools, faults);
  }

  private static void judgePool(Buffer buffer, Placement placement, List<Pool> pools, List<Fault> faults) {
    Pool pool = pools.get(placement.pool());
    if (pool.alignment() < buffer.alignment()) {
      faults
        .add(new Fault.PoolMisaligned(buffer.name(), placement.pool(), pool.alignment(), buffer.alignment()));
    }
    if (placement.offset() > pool.bytes() - buffer.reservedBytes()) {
      faults.add(new Fault.OutOfPool(buffer.name(), placement.offset(), buffer.reservedBytes(), pool.bytes()));
    }
    if (pool.device() != buffer.device()) {
      faults.add(new Fault.WrongDevice(buffer.name(), buffer.device(), placement.pool(), pool.device()));
      return;
    }
    int firstPool = 0;
    while (pools.get(firstPool).device() != buffer.device()) {
      firstPool++;
    }
    if (buffer.fixedOffset().isPresent() && placement.pool() != firstPool) {
      faults.add(new Fault.FixedInLaterPool(buffer.name(), placement.pool(), firstPool));
    }
  }

  private static void judgeGroup(MemoryProblem problem, ContiguousGroup group, MemoryPlan plan, List<Fault> faults) {
    for (int i = 1; i < group.buffers().size(); i++) {
      int lower = group.buffers().get(i - 1);
      int upper = group.buffers().get(i);
      if (Math.max(lower, upper) < plan.placements().size()) {
        Placement below = plan.placements().get(lower);
        Placement above = plan.placements().get(upper);
        long wanted = below.offset() + problem.buffer(lower).reservedBytes();
        if (above.pool() != below.pool() || above.offset() != wanted) {
          faults.add(new Fault.NotContiguous(problem.buffer(lower).name(), problem.buffer(upper).name(), above.pool(),
            above.offset(), below.pool(), wanted));
        }
      }
    }
  }
}
