package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;

/**
 * The workers of a group that sleep, the last to lie down first. They are their own links, so that one can lie down
 * when the heap has no room. For the thread that has the group's lock.
 */
final class Sleepers {
  private @Nullable Worker first;

  void push(Worker worker) {
    worker.sleepsBefore(first);
    first = worker;
  }

  @Nullable
  Worker poll() {
    Worker polled = first;
    if (polled != null) {
      first = polled.nextSleeper();
      polled.sleepsBefore(null);
    }
    return polled;
  }

  /** False when it does not sleep. */
  @SuppressWarnings("ReferenceEquality")
  boolean remove(Worker worker) {
    Worker before = null;
    for (Worker each = first; each != null; each = each.nextSleeper()) {
      if (each == worker) {
        unlink(worker, before);
        return true;
      }
      before = each;
    }
    return false;
  }

  private void unlink(Worker worker, @Nullable Worker before) {
    if (before == null) {
      first = worker.nextSleeper();
    } else {
      before.sleepsBefore(worker.nextSleeper());
    }
    worker.sleepsBefore(null);
  }
}
