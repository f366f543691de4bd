package dev.cairn.runtime.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;

/**
 * The part of {@link PlanValidator} that compares buffers with each other. Lifetimes are cut at their gaps into
 * intervals. A sweep over the steps finds whether any two intervals held at one step share bytes; only then are all of
 * them compared, to name every pair. Pairs in conflict are compared one by one. Serves one plan.
 */
final class OverlapJudge {
  private final MemoryProblem problem;
  private final MemoryPlan plan;
  private final int size;
  private final int most;
  private final Set<Long> seen = new HashSet<>();
  private final List<Fault> faults = new ArrayList<>();

  OverlapJudge(MemoryProblem problem, MemoryPlan plan, int most) {
    this.problem = problem;
    this.plan = plan;
    this.size = Math.min(problem.size(), plan.placements().size());
    this.most = most;
  }

  List<Fault> judge() {
    judgeAtOneStep();
    for (int low = 0; low < size && faults.size() < most; low++) {
      judgeInConflict(low);
    }
    return faults;
  }

  private void judgeAtOneStep() {
    HeldInterval[] intervals = intervalsByFirstStep();
    if (areDisjoint(intervals)) {
      return;
    }
    for (int later = 0; later < intervals.length; later++) {
      HeldInterval b = intervals[later];
      for (int earlier = later - 1; earlier >= 0; earlier--) {
        HeldInterval a = intervals[earlier];
        if (a.latestEnd <= b.first) {
          break; // neither this one nor any before it is still held
        }
        if (a.end > b.first && a.pool == b.pool && a.offset < b.top && b.offset < a.top && isNew(a.index, b.index)) {
          int low = Math.min(a.index, b.index);
          int high = Math.max(a.index, b.index);
          faults.add(new Fault.Overlap(name(low), name(high), a.pool, b.first));
          if (faults.size() == most) {
            return;
          }
        }
      }
    }
  }

  /**
   * Whether no two intervals held at one step share bytes. What is held has no bytes in common as long as this goes on,
   * so the next interval shares bytes with others only if it does with its neighbours: O(n log n).
   */
  private static boolean areDisjoint(HeldInterval[] byFirstStep) {
    Map<Integer, NavigableMap<Long, HeldInterval>> heldByPool = new HashMap<>();
    Queue<HeldInterval> byEnd = new PriorityQueue<>(Comparator.comparingInt((HeldInterval interval) -> interval.end));
    for (HeldInterval next : byFirstStep) {
      for (HeldInterval over = byEnd.peek(); over != null && over.end <= next.first; over = byEnd.peek()) {
        heldByPool.getOrDefault(over.pool, new TreeMap<>()).remove(over.offset);
        byEnd.remove();
      }
      NavigableMap<Long, HeldInterval> held = heldByPool.computeIfAbsent(next.pool, _ -> new TreeMap<>());
      Map.Entry<Long, HeldInterval> below = held.floorEntry(next.offset);
      Long above = held.higherKey(next.offset);
      boolean isDisjoint = (below == null || below.getValue().top <= next.offset) && (above == null
        || next.top <= above);
      if (!isDisjoint) {
        return false;
      }
      held.put(next.offset, next);
      byEnd.add(next);
    }
    return true;
  }

  private void judgeInConflict(int low) {
    HeldInterval a = new HeldInterval(low, problem, plan, new Lifetime(0, 1));
    for (int high : problem.conflicts().with(low).filter(i -> i > low && i < size).toArray()) {
      HeldInterval b = new HeldInterval(high, problem, plan, new Lifetime(0, 1));
      boolean shared = a.pool == b.pool && Math.max(a.offset, b.offset) < Math.min(a.top, b.top);
      if (shared && isNew(low, high)) {
        faults.add(new Fault.SharedInConflict(name(low), name(high), a.pool));
        if (faults.size() == most) {
          return;
        }
      }
    }
  }

  private boolean isNew(int one, int other) {
    return seen.add((long) Math.min(one, other) << Integer.SIZE | Math.max(one, other));
  }

  private String name(int index) {
    return problem.buffer(index).name();
  }

  private HeldInterval[] intervalsByFirstStep() {
    List<Lifetime> held = problem.held();
    List<HeldInterval> found = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      if (problem.buffer(i).reservedBytes() > 0) { // no bytes, no overlap
        int first = held.get(i).first();
        for (Lifetime gap : problem.buffer(i).gaps()) {
          if (gap.first() > first) {
            found.add(new HeldInterval(i, problem, plan, new Lifetime(first, gap.first())));
          }
          first = gap.end();
        }
        if (first < held.get(i).end()) {
          found.add(new HeldInterval(i, problem, plan, new Lifetime(first, held.get(i).end())));
        }
      }
    }
    HeldInterval[] intervals = found.stream().sorted(Comparator.comparingInt((HeldInterval interval) -> interval.first)
      .thenComparingInt(interval -> interval.index)).toArray(HeldInterval[]::new);
    int latestEnd = 0;
    for (HeldInterval interval : intervals) {
      latestEnd = Math.max(latestEnd, interval.end);
      interval.latestEnd = latestEnd;
    }
    return intervals;
  }

  /** Steps without a gap of one buffer, as the pairwise comparison reads it. */
  private static final class HeldInterval {
    final int index;
    final int first;
    final int end;
    final int pool;
    final long offset;
    final long top;
    /** Greatest end of this one and all that begin before it. */
    int latestEnd;

    HeldInterval(int index, MemoryProblem problem, MemoryPlan plan, Lifetime steps) {
      Placement placement = plan.placements().get(index);
      this.index = index;
      this.first = steps.first();
      this.end = steps.end();
      this.pool = placement.pool();
      this.offset = placement.offset();
      long sum = placement.offset() + problem.buffer(index).reservedBytes();
      this.top = placement.offset() > 0 && sum < 0 ? Long.MAX_VALUE : sum;
    }
  }
}
