package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;

/** What became of one push of stream work: null as long as nothing went wrong. Read it when its mark has passed. */
final class StreamOutcome {
  private volatile @Nullable FailureRecord failure;

  @Nullable
  FailureRecord failure() {
    return failure;
  }

  void fail(FailureRecord why) {
    failure = why;
  }
}
