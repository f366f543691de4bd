package dev.cairn.runtime.engine;

import org.jspecify.annotations.Nullable;

/** Blocks that may run, for one group of workers. Thread-safe. */
interface ReadyQueue {
  void offer(Block block);

  /** Goes before all that were not put first. */
  void offerFirst(Block block);

  @Nullable
  Block poll();

  /** Never true while there is a block whose offer has returned. */
  boolean isEmpty();
}
