package dev.cairn.runtime.memory.planner.search;

import dev.cairn.runtime.memory.planner.search.DepthFirstSearch.Outcome;

/**
 * Makes the best known plan of one part better, and what is known to be needed greater, until they meet or the limit is
 * reached. Strategies take turns, with more nodes each round, as one may be lost where another finds a plan at once. In
 * each turn the least capacity that is not known to be impossible is tried, then one that is easier: as near to it as
 * attempts have lately been able to come. Not for several threads.
 */
final class PartSearch {
  private static final long LEAST_NODES = 500;
  private static final int NODES_FOR_EACH_ITEM = 2;

  private final Part part;
  /** Apart, as each learns from its own failures. */
  private final DepthFirstSearch least;
  private final DepthFirstSearch easier;
  private final SearchLimit limit;
  private final long[] offsets;
  /** For each strategy, its attempts so far. */
  private final int[] tries = new int[Strategy.PORTFOLIO.size()];
  private long height;
  private long proven;
  /** The easier capacity: how much of the way from the least one to the best height it goes, from 0 to 1. */
  private double ease = 0.25;

  /** @param offsets a plan, by buffer index; this part's are replaced by better ones */
  PartSearch(Part part, SearchRules rules, SearchLimit limit, long[] offsets) {
    this.part = part;
    this.limit = limit;
    this.offsets = offsets;
    least = new DepthFirstSearch(part, rules, limit);
    easier = new DepthFirstSearch(part, rules, limit);
    height = part.height(offsets);
    proven = part.bound();
  }

  /** The top of the best plan so far. */
  long height() {
    return height;
  }

  /** No plan is lower. */
  long proven() {
    return proven;
  }

  /** Searches for plans as low as the target, not lower. */
  void minimise(long target) {
    long nodes = firstNodes();
    for (int round = 0; true; round++, nodes += nodes / 2) {
      for (int i = 0; i < Strategy.PORTFOLIO.size(); i++) {
        boolean found = true;
        while (found && height > Math.max(target, proven)) {
          found = attemptEasier(Math.max(target, proven), nextRanked(i), nodes);
        }
        if (height > Math.max(target, proven)) {
          attempt(least, Math.max(target, proven), Strategy.PORTFOLIO.get(i).ranked(part, round), nodes);
        }
        if (height <= Math.max(target, proven) || limit.isReached()) {
          return;
        }
      }
    }
  }

  /** Searches for a plan within the capacity until there is one or there can be none. */
  void fit(long capacity) {
    long nodes = firstNodes();
    for (int round = 0; true; round++, nodes += nodes / 2) {
      for (int i = 0; i < Strategy.PORTFOLIO.size(); i++) {
        attempt(least, capacity, Strategy.PORTFOLIO.get(i).ranked(part, round), nodes);
        if (height <= capacity || proven > capacity || limit.isReached()) {
          return;
        }
      }
    }
  }

  private Strategy.Ranked nextRanked(int strategy) {
    return Strategy.PORTFOLIO.get(strategy).ranked(part, tries[strategy]++);
  }

  private long firstNodes() {
    return Math.max(LEAST_NODES, (long) NODES_FOR_EACH_ITEM * part.size());
  }

  /** Whether there was a plan. */
  private boolean attemptEasier(long low, Strategy.Ranked strategy, long nodes) {
    long capacity = low + (long) (ease * (height - part.step - low));
    Outcome outcome = attempt(easier, capacity, strategy, nodes);
    ease = switch (outcome) {
      case STOPPED -> Math.min(1, ease * 1.25);
      case FOUND -> ease * 0.7;
      case IMPOSSIBLE -> Math.max(ease, 0.5); // halves the remaining range: with small steps the search would never end
    };
    return outcome == Outcome.FOUND;
  }

  private Outcome attempt(DepthFirstSearch search, long capacity, Strategy.Ranked strategy, long nodes) {
    Outcome outcome = search.attempt(capacity, strategy, nodes);
    switch (outcome) {
      case FOUND -> takeOver(search);
      case IMPOSSIBLE -> proven = Math.max(proven, Math.floorDiv(capacity, part.step) * part.step + part.step);
      case STOPPED -> {}
    }
    return outcome;
  }

  private void takeOver(DepthFirstSearch search) {
    for (int item = 0; item < part.size(); item++) {
      offsets[part.buffers[item]] = search.offset(item);
    }
    height = part.height(offsets);
  }
}
