package dev.cairn.runtime.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A list of blocks, first in, first out, which are their own links. Any number of threads put, with one exchange each;
 * takers take turns. After Vyukov's queue of many producers and one consumer: the block taken last stays as the head.
 */
@SuppressWarnings({"unused", "ReferenceEquality"})
final class Lane extends LaneTaker {
  private static final int SPINS = 64;
  private static final VarHandle TAIL;
  private static final VarHandle TAKING;

  static {
    try {
      TAIL = MethodHandles.lookup().findVarHandle(Lane.class, "tail", OperationBlock.class);
      TAKING = MethodHandles.lookup().findVarHandle(LaneTaker.class, "taking", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile OperationBlock tail;
  private final boolean oneTaker;
  private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15;

  Lane(OperationBlock stub, boolean oneTaker) {
    super(stub);
    this.tail = stub;
    this.oneTaker = oneTaker;
  }

  void put(OperationBlock block) {
    OperationBlock before = (OperationBlock) TAIL.getAndSet(this, block);
    before.linkTo(block);
  }

  boolean isEmpty() {
    return head == tail;
  }

  /** For the one taker: the block that {@link #take} would return. */
  @Nullable
  OperationBlock first() {
    return head.next();
  }

  /** For one taker, null also while the put of an earlier block is under way. */
  @Nullable
  OperationBlock take() {
    if (oneTaker) {
      return takeAlone();
    }
    if (head == tail) {
      return null;
    }
    awaitTurn();
    OperationBlock taken = takeAlone();
    TAKING.setRelease(this, 0);
    return taken;
  }

  /** Whose turn it is may have lost the processor: after a while, give it ours. */
  @SuppressWarnings("ThreadPriorityCheck")
  private void awaitTurn() {
    for (int spins = 0; taking != 0 || !TAKING.compareAndSet(this, 0, 1); spins++) {
      if (spins < SPINS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
  }

  private @Nullable OperationBlock takeAlone() {
    OperationBlock last = head;
    OperationBlock first = last.next();
    if (first == null) {
      // The tail's cache line is left to the thread that puts; see ReadyQueue.poll.
      if (oneTaker || last == tail) {
        return null;
      }
      first = awaitLink(last);
    }
    head = first;
    // Or a dead block that grew old keeps all later ones alive for the collector.
    last.linkTo(null);
    return first;
  }

  /** Somebody has put a block, and is about to link it. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static OperationBlock awaitLink(OperationBlock last) {
    while (true) {
      Thread.onSpinWait();
      OperationBlock first = last.next();
      if (first != null) {
        return first;
      }
      Thread.yield();
    }
  }
}
