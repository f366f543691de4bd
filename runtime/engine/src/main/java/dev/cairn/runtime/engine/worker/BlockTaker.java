package dev.cairn.runtime.engine.worker;

import dev.cairn.runtime.engine.queue.OperationBlock;

/** Takes the blocks of a group's queue. */
public interface BlockTaker {
  /** Runs a block, on one of the group's threads. */
  void run(OperationBlock block);

  /** Ends a block for which the system has no thread. */
  void refuse(OperationBlock block, Throwable cause);

  /** Receives an error that {@link #run} threw. */
  void report(OperationBlock block, Throwable error);
}
