package dev.cairn.runtime.memory.planner.search;

import java.util.List;

/**
 * How one attempt goes about it.
 *
 * @param choice which section is decided next
 * @param order in which order its items are tried
 */
record Strategy(SectionChoice choice, ItemOrder order) {
  /** In the order in which they take turns. */
  static final List<Strategy> PORTFOLIO = List.of(
    new Strategy(SectionChoice.FORCED_THEN_LOW, ItemOrder.LONG),
    new Strategy(SectionChoice.FAILED, ItemOrder.LONG),
    new Strategy(SectionChoice.FEW_CHOICES, ItemOrder.LARGE),
    new Strategy(SectionChoice.FORCED_THEN_TIGHT, ItemOrder.LONG),
    new Strategy(SectionChoice.FAILED, ItemOrder.LARGE),
    new Strategy(SectionChoice.FORCED_THEN_LOW, ItemOrder.AREA),
    new Strategy(SectionChoice.FAILED, ItemOrder.LONG_LARGE),
    new Strategy(SectionChoice.FEW_CHOICES, ItemOrder.LONG));

  private static final double[] NOISE = {0, 0.1, 0.3, 0.8};

  /** A strategy with its ranks worked out for one part. */
  static final class Ranked {
    final SectionChoice choice;
    /** For each item, its place in the order. */
    final int[] ranks;

    Ranked(SectionChoice choice, int[] ranks) {
      this.choice = choice;
      this.ranks = ranks;
    }
  }

  /** Later rounds have other ranks, by chance: the same in every run. */
  Ranked ranked(Part part, int round) {
    double noise = round < NOISE.length ? NOISE[round] : NOISE[1 + round % (NOISE.length - 1)];
    return new Ranked(choice, order.ranks(part, noise, round));
  }
}
