package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The judge of every plan. Compares every two buffers that are held at the same step, one by one, and shares no code
 * with any planner. 30,000 buffers that are all held at once take about a second; usual problems far less.
 */
public final class PlanValidator {
  /** Overlaps listed at most; a plan that is wrong all over would list millions. */
  public static final int MAX_OVERLAPS = 1_000;

  private PlanValidator() {}

  /**
   * All that is wrong with the plan, empty when it is valid: first each buffer by itself, by index, then overlaps by
   * the step of the later buffer's beginning, of these at most {@value #MAX_OVERLAPS}.
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
    judgeTogether(problem, plan, faults);
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
    if (placement.pool() < 0 || placement.pool() >= pools.size()) {
      faults.add(new Fault.NoSuchPool(buffer.name(), placement.pool(), pools.size()));
      return;
    }
    Pool pool = pools.get(placement.pool());
    if (pool.alignment() < buffer.alignment()) {
      faults
        .add(new Fault.PoolMisaligned(buffer.name(), placement.pool(), pool.alignment(), buffer.alignment()));
    }
    if (offset > pool.bytes() - buffer.reservedBytes()) {
      faults.add(new Fault.OutOfPool(buffer.name(), offset, buffer.reservedBytes(), pool.bytes()));
    }
  }

  private static void judgeTogether(MemoryProblem problem, MemoryPlan plan, List<Fault> faults) {
    Held[] held = heldByFirstStep(problem, plan);
    int overlaps = 0;
    for (int later = 0; later < held.length; later++) {
      Held b = held[later];
      for (int earlier = later - 1; earlier >= 0; earlier--) {
        Held a = held[earlier];
        if (a.latestEnd <= b.first) {
          break; // neither this one nor any before it is still held
        }
        if (a.end > b.first && a.pool == b.pool && a.offset < b.top && b.offset < a.top) {
          int low = Math.min(a.index, b.index);
          int high = Math.max(a.index, b.index);
          faults
            .add(new Fault.Overlap(problem.buffer(low).name(), problem.buffer(high).name(), a.pool, b.first));
          if (++overlaps == MAX_OVERLAPS) {
            return;
          }
        }
      }
    }
  }

  private static Held[] heldByFirstStep(MemoryProblem problem, MemoryPlan plan) {
    List<Lifetime> lifetimes = problem.held();
    Held[] held = IntStream.range(0, Math.min(problem.size(), plan.placements().size()))
      .filter(i -> problem.buffer(i).reservedBytes() > 0) // no bytes, no overlap
      .mapToObj(i -> new Held(i, problem.buffer(i), lifetimes.get(i), plan.placements().get(i)))
      .sorted(Comparator.comparingInt((Held h) -> h.first).thenComparingInt(h -> h.index))
      .toArray(Held[]::new);
    int latestEnd = 0;
    for (Held h : held) {
      latestEnd = Math.max(latestEnd, h.end);
      h.latestEnd = latestEnd;
    }
    return held;
  }

  /** One buffer with bytes, as the pairwise comparison reads it. */
  private static final class Held {
    final int index;
    final int first;
    final int end;
    final int pool;
    final long offset;
    final long top;
    /** Greatest end of this one and all that begin before it. */
    int latestEnd;

    Held(int index, Buffer buffer, Lifetime lifetime, Placement placement) {
      this.index = index;
      this.first = lifetime.first();
      this.end = lifetime.end();
      this.pool = placement.pool();
      this.offset = placement.offset();
      long sum = placement.offset() + buffer.reservedBytes();
      this.top = placement.offset() > 0 && sum < 0 ? Long.MAX_VALUE : sum;
    }
  }
}
