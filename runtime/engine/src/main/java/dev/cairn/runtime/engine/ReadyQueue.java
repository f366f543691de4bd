package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;

/** Blocks that may run, for one group of workers. Thread-safe. */
interface ReadyQueue {
  void offer(OperationBlock block);

  /** Goes before all that were not put first. */
  void offerFirst(OperationBlock block);

  /** Null when there is none; with one taker also while an earlier offer is under way: before sleeping, ask isEmpty. */
  @Nullable
  OperationBlock poll();

  /** Never true while there is a block whose offer has returned. */
  boolean isEmpty();
}
