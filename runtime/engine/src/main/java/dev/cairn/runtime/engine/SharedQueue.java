package dev.cairn.runtime.engine;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a group. A lone worker shares it with threads that wait for what is in it. The thread that has the
 * {@link RunLock} takes blocks and runs them, one after the other as if the worker did. Thread-safe.
 */
final class SharedQueue {
  private final ReadyQueue queue;
  /** Null where there may be several workers. */
  private final @Nullable RunLock lock;

  SharedQueue(ReadyQueue queue, boolean hasOneWorker) {
    this.queue = queue;
    this.lock = hasOneWorker ? new RunLock() : null;
  }

  void offer(OperationBlock block) {
    queue.offer(block);
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Whether a thread that runs blocks has the queue for itself; it sees to what is left when it ends. */
  boolean isTaken() {
    RunLock shared = lock;
    return shared != null && shared.isTaken();
  }

  /** A block for a thread without a turn; after a block, it has one. */
  @Nullable
  OperationBlock take() {
    RunLock shared = lock;
    if (shared == null) {
      return queue.poll();
    }
    if (!shared.tryTake()) {
      return null;
    }
    OperationBlock block = queue.poll();
    if (block == null) {
      shared.giveBack();
    }
    return block;
  }

  /** The next block for a thread that has a turn; null ends it. */
  @Nullable
  OperationBlock next() {
    OperationBlock block = queue.poll();
    if (block == null) {
      endTurn();
    }
    return block;
  }

  /** Gives the thread a turn if a lone worker has nothing to run. If not, the caller looks whether blocks have come. */
  boolean tryTakeEmpty() {
    RunLock shared = lock;
    if (shared == null || !queue.isEmpty() || !shared.tryTake()) {
      return false;
    }
    if (queue.isEmpty()) {
      return true;
    }
    // The thread that offered it may not have woken the worker, as this thread had its turn: the caller looks.
    shared.giveBack();
    return false;
  }

  void endTurn() {
    RunLock shared = lock;
    if (shared != null) {
      shared.giveBack();
    }
  }

  /**
   * Runs blocks on the calling thread, until it need not wait any more, the next block does not pass, there is none, or
   * another thread has its turn. The caller then looks whether some are left.
   */
  void help(BooleanSupplier isOver, Predicate<OperationBlock> passes, Consumer<OperationBlock> run) {
    RunLock shared = lock;
    if (shared == null || !shared.tryTake()) {
      return;
    }
    try {
      while (!isOver.getAsBoolean()) {
        OperationBlock block = queue.pollIf(passes);
        if (block == null) {
          return;
        }
        run.accept(block);
      }
    } finally {
      shared.giveBack();
    }
  }
}
