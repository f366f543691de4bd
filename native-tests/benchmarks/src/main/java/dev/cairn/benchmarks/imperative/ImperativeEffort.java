package dev.cairn.benchmarks.imperative;

/**
 * How much is measured, and how often.
 *
 * @param rounds in which every contestant has its turn
 * @param batches of calls in one turn
 * @param operations to see that memory stays level
 */
record ImperativeEffort(int rounds, int batches, int operations) {
  /** For figures that are kept. */
  static final ImperativeEffort FULL = new ImperativeEffort(15, 100, 1_000_000);
  /** To see that all works. */
  static final ImperativeEffort QUICK = new ImperativeEffort(3, 10, 50_000);
}
