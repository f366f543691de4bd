package dev.cairn.runtime.memory.planner.search;

import dev.cairn.runtime.memory.planner.search.DepthFirstSearch.Outcome;

/**
 * Makes the best known plan of one part better, and what is known to be needed greater, until they meet or the limit is
 * reached. Strategies take turns, with more nodes each round, as one may be lost where another finds a plan at once. In
 * each turn the least capacity that is not known to be impossible is tried, then one that is easier: as near to it as
 * attempts have lately been able to come. Not for several threads.
 */
final class PartSearch {
  private static final long FIRST_NODES = 1_000;

  private final Part part;
  private final DepthFirstSearch search;
  private final SearchLimit limit;
  private final long[] offsets;
  private long height;
  private long proven;
  /** The easier capacity: how much of the way from the least one to the best height it goes, from 0 to 1. */
  private double ease = 0.5;

  /** @param offsets a plan, by buffer index; this part's are replaced by better ones */
  PartSearch(Part part, SearchRules rules, SearchLimit limit, long[] offsets) {
    this.part = part;
    this.limit = limit;
    this.offsets = offsets;
    search = new DepthFirstSearch(part, rules, limit);
    height = part.height(offsets);
    proven = part.bound();
  }

  /** Of the best plan so far. */
  long height() {
    return height;
  }

  /** No plan is lower. */
  long proven() {
    return proven;
  }

  /** Searches for plans as low as the target, not lower. */
  void minimise(long target) {
    long nodes = FIRST_NODES;
    for (int round = 0; height > Math.max(target, proven); round++, nodes += nodes / 2) {
      for (int i = 0; i < Strategy.PORTFOLIO.size() && height > Math.max(target, proven); i++) {
        Strategy.Ranked strategy = Strategy.PORTFOLIO.get(i).ranked(part, round);
        attempt(Math.max(target, proven), strategy, nodes);
        attemptEasier(Math.max(target, proven), strategy, nodes);
        if (limit.isReached()) {
          return;
        }
      }
    }
  }

  /** Searches for a plan within the capacity until there is one or there can be none. */
  void fit(long capacity) {
    long nodes = FIRST_NODES;
    for (int round = 0; height > capacity && proven <= capacity; round++, nodes += nodes / 2) {
      for (int i = 0; i < Strategy.PORTFOLIO.size() && height > capacity && proven <= capacity; i++) {
        attempt(capacity, Strategy.PORTFOLIO.get(i).ranked(part, round), nodes);
        if (limit.isReached()) {
          return;
        }
      }
    }
  }

  private void attemptEasier(long least, Strategy.Ranked strategy, long nodes) {
    long capacity = least + (long) (ease * (height - part.step() - least));
    if (capacity > least) {
      boolean stopped = attempt(capacity, strategy, nodes) == Outcome.STOPPED;
      ease = stopped ? Math.min(1, ease * 1.25) : ease * 0.7;
    }
  }

  private Outcome attempt(long capacity, Strategy.Ranked strategy, long nodes) {
    Outcome outcome = search.attempt(capacity, strategy, nodes);
    switch (outcome) {
      case FOUND -> takeOver();
      case IMPOSSIBLE -> proven = Math.max(proven, Math.floorDiv(capacity, part.step()) * part.step() + part.step());
      case STOPPED -> { }
    }
    return outcome;
  }

  private void takeOver() {
    for (int item = 0; item < part.size(); item++) {
      offsets[part.buffers()[item]] = search.offset(item);
    }
    height = part.height(offsets);
  }
}
