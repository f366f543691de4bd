package dev.cairn.runtime.cached;

import java.util.ArrayList;
import java.util.List;

/**
 * Plans that no call and no gradient uses any more. Closing a plan waits for its runs, so a thread inside an operation
 * must not do it: its plans stay here until a thread outside comes by. Thread-safe.
 */
final class RetiredPlans {
  private final List<PlannedCall> plans = new ArrayList<>();

  synchronized void add(PlannedCall plan) {
    plans.add(plan);
  }

  /** Closes those that this thread may close: all of them, also where one fails. */
  void close() {
    RuntimeException failure = null;
    for (PlannedCall plan : taken()) {
      try {
        plan.closeSessions();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private synchronized List<PlannedCall> taken() {
    List<PlannedCall> taken = plans.stream().filter(PlannedCall::mayClose).toList();
    plans.removeAll(taken);
    return taken;
  }
}
