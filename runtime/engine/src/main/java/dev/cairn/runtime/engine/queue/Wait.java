package dev.cairn.runtime.engine.queue;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread that waits for a variable: it takes a reader's place in the queue, and when it is its turn, the thread that
 * makes it ready wakes the waiting one at once. Runs nothing, so neither poison nor shutdown keeps it.
 */
public final class Wait extends OperationBlock {
  private final Thread waiter = Thread.currentThread();
  private volatile boolean over;

  public Wait(Variable variable) {
    super(Operation.of("wait", Footprint.reading(variable), () -> {}), 0);
  }

  @Override
  boolean mayFollowDelete() {
    return true;
  }

  /** Wakes the thread, when its turn has come. */
  public void wake() {
    over = true;
    // The waiting thread itself may have run what it waits for.
    if (!waiter.equals(Thread.currentThread())) {
      LockSupport.unpark(waiter);
    }
  }

  /** Whether its turn has come. Its thread is unparked then. */
  public boolean isOver() {
    return over;
  }
}
