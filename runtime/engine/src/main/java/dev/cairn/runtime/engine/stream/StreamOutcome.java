package dev.cairn.runtime.engine.stream;

import dev.cairn.runtime.engine.failure.FailureRecord;
import org.jspecify.annotations.Nullable;

/** What became of one push of stream work: null as long as nothing went wrong. Read it when its mark has passed. */
public final class StreamOutcome {
  private volatile @Nullable FailureRecord failure;

  /** Why nothing was computed. */
  public @Nullable FailureRecord failure() {
    return failure;
  }

  /** Nothing was computed, for that reason. */
  public void fail(FailureRecord why) {
    failure = why;
  }
}
