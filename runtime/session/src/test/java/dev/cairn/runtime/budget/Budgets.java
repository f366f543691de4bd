package dev.cairn.runtime.budget;

import dev.cairn.testing.FaultInTurn;
import java.util.function.LongSupplier;

/** What tests of other packages need of budgets. */
public final class Budgets {
  private Budgets() {}

  /** A budget whose waiting times a test's clock measures, in nanoseconds. */
  public static MemoryBudget of(long bytes, LongSupplier clock) {
    return MemoryBudget.of(bytes, clock);
  }

  /** A budget that refuses a region, or throws, where the fault is. */
  public static MemoryBudget faulty(FaultInTurn fault, boolean throwing) {
    return MemoryBudget.of(1L << 40, System::nanoTime, () -> {
      if (throwing) {
        fault.pass();
      }
      return !throwing && fault.isNow();
    });
  }

  public static MemoryQueue queue() {
    return new MemoryQueue();
  }

  /** Waits until so many threads wait, or more. */
  public static void awaitWaiting(MemoryQueue queue, int threads) {
    queue.awaitWaiting(threads);
  }

  /** How many threads wait now. */
  public static int waiting(MemoryQueue queue) {
    return queue.waitingThreads();
  }
}
