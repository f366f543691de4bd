package dev.cairn.runtime.memory.planner.search;

import dev.cairn.runtime.memory.LowerBound;
import dev.cairn.runtime.memory.MemoryPlan;
import dev.cairn.runtime.memory.MemoryPlanner;
import dev.cairn.runtime.memory.MemoryProblem;
import dev.cairn.runtime.memory.Placement;

/**
 * Searches for the smallest plan, and shows that there is no smaller one, as far as a budget goes: the smallest for
 * most problems of hundreds of buffers within a second. Begins with another planner's plan, which is the answer when
 * nothing smaller is found; splits the problem into parts that cannot meet, and works on the highest. A value; one may
 * serve several threads.
 *
 * <p>A problem with contiguous groups, or of more buffers than there is hope for, keeps the plan it began with.
 *
 * @param start makes the plan to begin with
 * @param rules what the search may skip
 */
public record ExactSearch(MemoryPlanner start, SearchRules rules) {
  private static final String NAME = "search";

  /** The best plan within the budget; at once when a plan is as small as can be. */
  public SearchResult minimise(MemoryProblem problem, SearchBudget budget) {
    return search(problem, -1, budget);
  }

  /**
   * Only whether a plan of so many bytes exists: stops at the first that fits, or once it is known that none does.
   *
   * @throws IllegalArgumentException for a problem of several devices, each of which has its own capacity
   */
  public SearchResult fit(MemoryProblem problem, long capacityBytes, SearchBudget budget) {
    long devices = problem.buffers().stream().mapToInt(it -> it.device()).distinct().count();
    if (devices > 1 || capacityBytes < 0) {
      throw new IllegalArgumentException(
        "one capacity, at least 0, for one device: capacityBytes=%d devices=%d".formatted(capacityBytes, devices));
    }
    return search(problem, capacityBytes, budget);
  }

  /** @param capacity what to fit, or -1 for the smallest */
  private SearchResult search(MemoryProblem problem, long capacity, SearchBudget budget) {
    MemoryPlan first = start.plan(problem);
    long bound = LowerBound.of(problem).bytes();
    if (first.peakBytes() <= Math.max(bound, capacity) || !isSearchable(problem, first)) {
      return new SearchResult(first, bound, 0);
    }
    long[] offsets = offsets(problem, first);
    SearchLimit limit = new SearchLimit(budget);
    long proven = 0;
    for (int device : problem.buffers().stream().mapToInt(it -> it.device()).distinct().sorted().toArray()) {
      DeviceSearch search = new DeviceSearch(Parts.of(problem, device), rules, offsets);
      if (capacity >= 0) {
        search.fit(capacity, limit);
      } else {
        search.minimise(limit);
      }
      proven += search.proven();
    }
    MemoryPlan found = MemoryPlan.inArenas(NAME, problem, offsets);
    return new SearchResult(found.peakBytes() < first.peakBytes() ? found : first, Math.max(bound, proven),
      limit.steps());
  }

  /**
   * For each buffer index, in an arena for each device. A buffer that is in no other's way is not searched for, and
   * lies at 0.
   */
  private static long[] offsets(MemoryProblem problem, MemoryPlan plan) {
    Sections sections = new Sections(problem);
    long[] bases = plan.basesInArenas();
    long[] offsets = new long[problem.size()];
    for (int i = 0; i < offsets.length; i++) {
      Placement placement = plan.placements().get(i);
      offsets[i] = sections.isInTheWay(i)
        ? bases[placement.pool()] + placement.offset()
        : problem.buffer(i).fixedOffset().orElse(0);
    }
    return offsets;
  }

  /** Whether it is of the kind that is searched, and no sum of two heights can overflow. */
  private static boolean isSearchable(MemoryProblem problem, MemoryPlan plan) {
    return problem.groups().isEmpty() && Math.max(problem.unsharedBytes(), plan.peakBytes()) < Long.MAX_VALUE / 4;
  }
}
