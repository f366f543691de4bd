package dev.cairn.runtime.engine;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that may run, for one group of workers. Deletes come first. Of the others, the one pushed first comes first,
 * whenever it got ready, so that memory follows execution: what an operation releases is free before operations run
 * that were pushed later. A group of prioritised work looks at the priority before that. Thread-safe.
 */
class ReadyQueue {
  private static final Comparator<OperationBlock> IN_ORDER = (a, b) -> a.isDelete() == b.isDelete()
    ? Long.compare(a.number(), b.number())
    : a.isDelete() ? -1 : 1;
  private static final Comparator<OperationBlock> BY_PRIORITY = (a, b) -> a.isDelete() || b.isDelete()
    || a.operation().priority() == b.operation().priority()
      ? IN_ORDER.compare(a, b)
      : Integer.compare(b.operation().priority(), a.operation().priority());

  private final PriorityQueue<OperationBlock> blocks;
  /** As many as there are; read without the lock by threads that only ask. */
  private volatile int size;

  private ReadyQueue(Comparator<OperationBlock> order) {
    this.blocks = new PriorityQueue<>(order);
  }

  /** In the order of pushes. */
  ReadyQueue() {
    this(IN_ORDER);
  }

  /** The highest priority first, and in the order of pushes among equals. */
  static ReadyQueue byPriority() {
    return new ReadyQueue(BY_PRIORITY);
  }

  /** Where it throws, the block is not in the queue. */
  synchronized void offer(OperationBlock block) {
    blocks.add(block);
    size = blocks.size();
  }

  /** Null when there is none. */
  @Nullable
  OperationBlock poll() {
    return size == 0 ? null : take(_ -> true);
  }

  /** As {@link #poll}; null also where the first block does not pass the test. */
  @Nullable
  OperationBlock pollIf(Predicate<OperationBlock> test) {
    return size == 0 ? null : take(test);
  }

  private synchronized @Nullable OperationBlock take(Predicate<OperationBlock> test) {
    OperationBlock first = blocks.peek();
    if (first == null || !test.test(first)) {
      return null;
    }
    blocks.poll();
    size = blocks.size();
    return first;
  }

  /** Never true while there is a block whose offer has returned. */
  boolean isEmpty() {
    return size == 0;
  }
}
