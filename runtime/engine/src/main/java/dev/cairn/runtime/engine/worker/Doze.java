package dev.cairn.runtime.engine.worker;

import java.util.function.BooleanSupplier;

/**
 * What the lone worker of a group does while threads that wait run all blocks: it sleeps for short whiles and looks.
 * Waking it for each block would cost the pusher more than a small block takes to run. A block that no thread waits for
 * is found at the next look, and ends this.
 */
final class Doze {
  /** Timers of Linux are some 50 microseconds late. */
  private static final long LOOK_NANOS = 50_000;
  private static final int LOOKS = 20;

  private volatile boolean on;
  /** Whether a waiting thread has run a block since the last look. */
  private volatile boolean helped;

  /** Whether pushers need not wake the worker. */
  boolean isOn() {
    return on;
  }

  /** A thread that waits runs a block. */
  void helped() {
    // The flag is read first, as in WorkerGroup.hurry.
    if (!helped) {
      helped = true;
    }
  }

  boolean isDue() {
    return helped;
  }

  /**
   * On the worker's thread, which has lain down: true when it was woken. After false, the caller looks once more before
   * it sleeps: a block may have come whose pusher did not wake it.
   */
  boolean wasWoken(Worker worker, BooleanSupplier hasNothing) {
    on = true;
    try {
      int looks = 0;
      while (looks < LOOKS && hasNothing.getAsBoolean()) {
        looks = helped ? 0 : looks + 1;
        helped = false;
        if (worker.doze(LOOK_NANOS)) {
          return true;
        }
      }
      return false;
    } finally {
      helped = false;
      on = false;
    }
  }
}
