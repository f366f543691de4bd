package dev.cairn.runtime.memory.planner.search;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * How one attempt goes about it.
 *
 * @param choice which section is decided next
 * @param order in which order its items are tried
 */
record Strategy(SectionChoice choice, ItemOrder order) {
  /** All, in the order in which they take turns. */
  static final List<Strategy> PORTFOLIO = Arrays.stream(SectionChoice.values())
    .flatMap(choice -> Stream.of(ItemOrder.values()).map(order -> new Strategy(choice, order)))
    .toList();

  /** A strategy with its ranks worked out for one part. */
  record Ranked(SectionChoice choice, int[] ranks) {
    int rank(int item) {
      return ranks[item];
    }
  }

  Ranked ranked(Part part, long seed) {
    return new Ranked(choice, order.ranks(part, seed));
  }
}
