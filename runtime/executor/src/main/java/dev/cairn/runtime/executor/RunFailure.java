package dev.cairn.runtime.executor;

import org.jspecify.annotations.Nullable;

/** The failure of the present run: of several failures, that of the earliest step. Thread-safe. */
public final class RunFailure {
  private volatile @Nullable Throwable first;
  private int firstStep;

  /** For the next run. */
  void clear() {
    first = null;
  }

  boolean isAny() {
    return first != null;
  }

  /** @param failure unchecked */
  synchronized void add(int step, Throwable failure) {
    if (first == null || step < firstStep) {
      firstStep = step;
      first = failure;
    }
  }

  /** Adds to a failure what an observer or a close threw while the failure was handled. */
  public static void suppress(Throwable failure, Throwable later) {
    if (!later.equals(failure)) {
      failure.addSuppressed(later);
    }
  }

  /** The failure is the caller's then, and kept no longer. */
  void throwIfAny() {
    Throwable thrown = first;
    first = null;
    switch (thrown) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new AssertionError("a step cannot throw this", e);
    }
  }
}
