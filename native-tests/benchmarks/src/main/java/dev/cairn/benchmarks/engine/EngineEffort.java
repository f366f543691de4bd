package dev.cairn.benchmarks.engine;

/**
 * How much is measured, and how often.
 *
 * @param rounds in which every engine has its turn
 * @param operations pushed in one turn
 * @param waits in one turn
 * @param pending operations that wait at a time
 * @param cycles of start and stop
 */
record EngineEffort(int rounds, int operations, int waits, int pending, int cycles) {
  /** For figures that are kept. */
  static final EngineEffort FULL = new EngineEffort(25, 200_000, 2000, 1_000_000, 100);
  /** A short effort, to see that all works. */
  static final EngineEffort QUICK = new EngineEffort(3, 20_000, 200, 100_000, 10);

  EngineEffort {
    if (rounds < 1) {
      throw new IllegalArgumentException("at least 1: rounds=" + rounds);
    }
  }

  EngineEffort withRounds(int newRounds) {
    return new EngineEffort(newRounds, operations, waits, pending, cycles);
  }
}
