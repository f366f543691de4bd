package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The judge of every plan. Compares every two buffers that are held at the same step, one by one, and shares no code
 * with any planner. 30,000 buffers that are all held at once take about a second; usual problems far less.
 */
public final class PlanValidator {
  /** Overlaps listed at most; a plan that is wrong all over would list millions. */
  public static final int MAX_OVERLAPS = 1_000;

  private PlanValidator() {}

  /**
   * All that is wrong with the plan, empty when it is valid: first each buffer by itself, by index, then groups, then
   * overlaps by the step at which they begin, then bytes shared in conflict; of the last two at most {@value
   * #MAX_OVERLAPS}, and each pair once.
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
   * The plan itself, when it is valid.
   *
   * @throws IllegalStateException naming the planner and the first faults otherwise
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
