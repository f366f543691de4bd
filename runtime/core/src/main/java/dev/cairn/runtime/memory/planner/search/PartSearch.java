package dev.cairn.runtime.memory.planner.search;

import java.util.List;
import java.util.stream.LongStream;

/**
 * Makes the best known plan of one part better, and what is known to be needed greater, until they meet or the limit is
 * reached. Strategies take turns, with more nodes each round, as one may be lost where another finds a plan at once;
 * each first tries the least capacity that is not known to be impossible, then easier ones. Not for several threads.
 */
final class PartSearch {
  private static final long FIRST_NODES = 1_000;

  private final Part part;
  private final DepthFirstSearch search;
  private final long[] offsets;
  private long height;
  private long proven;

  /** @param offsets a plan, by buffer index; this part's are replaced by better ones */
  PartSearch(Part part, SearchRules rules, long[] offsets) {
    this.part = part;
    this.offsets = offsets;
    search = new DepthFirstSearch(part, rules);
    height = part.height(offsets);
    proven = part.bound();
  }

  Part part() {
    return part;
  }

  /** Of the best plan so far. */
  long height() {
    return height;
  }

  /** No plan is lower. */
  long proven() {
    return proven;
  }

  long steps() {
    return search.steps();
  }

  /** Searches for plans as low as the target, not lower; without easier capacities if {@code only} that will do. */
  void improve(long target, boolean only, SearchLimit limit) {
    long nodes = FIRST_NODES;
    for (int round = 0; !isDone(target, only); round++, nodes += nodes / 2) {
      List<Strategy> strategies = Strategy.PORTFOLIO;
      for (int i = 0; i < strategies.size() && !isDone(target, only); i++) {
        Strategy.Ranked strategy = strategies.get(i).ranked(part, (long) round * strategies.size() + i);
        if (!takeTurn(target, only, strategy, new Turn(nodes, limit))) {
          return;
        }
      }
    }
  }

  private record Turn(long nodes, SearchLimit limit) {}

  private boolean isDone(long target, boolean only) {
    return height <= Math.max(target, proven) || only && proven > target;
  }

  /** One strategy's turn; false when the limit is reached. */
  private boolean takeTurn(long target, boolean only, Strategy.Ranked strategy, Turn turn) {
    long low = Math.max(target, proven);
    long room = height - low;
    long[] capacities = only ? new long[] {low}
      : LongStream.of(low, low + room / 8, low + room / 4, low + room / 2, height - part.step()).distinct().toArray();
    for (long capacity : capacities) {
      if (capacity >= height) {
        break;
      }
      switch (search.attempt(capacity, strategy, turn.nodes, turn.limit)) {
        case FOUND -> takeOver();
        case IMPOSSIBLE -> proven = Math.max(proven, nextHeight(capacity));
        case STOPPED -> {
          if (turn.limit.isReached(search.steps())) {
            return false;
          }
        }
      }
      if (isDone(target, only)) {
        break;
      }
    }
    return true;
  }

  /** The least height above a capacity. */
  private long nextHeight(long capacity) {
    return Math.floorDiv(capacity, part.step()) * part.step() + part.step();
  }

  private void takeOver() {
    for (int item = 0; item < part.size(); item++) {
      offsets[part.buffers()[item]] = search.offset(item);
    }
    height = part.height(offsets);
  }
}
