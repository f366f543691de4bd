package dev.cairn.kernels.device;

import org.jspecify.annotations.Nullable;

/** Ends several things, all of them whatever one of them throws; then throws the first failure. Not thread-safe. */
public final class Closing {
  private @Nullable Throwable failure;

  /** Ends one of them, and keeps its failure for {@link #throwFailure}. */
  @SuppressWarnings("ReferenceEquality")
  public void end(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error e) {
      Throwable first = failure;
      if (first == null) {
        failure = e;
      } else if (first != e) {
        first.addSuppressed(e);
      }
    }
  }

  /** Throws the first failure, which has the later ones as suppressed ones; returns if there was none. */
  public void throwFailure() {
    Throwable first = failure;
    if (first != null) {
      throw Rethrown.asItIs(first);
    }
  }
}
