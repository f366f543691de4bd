package dev.cairn.testing;

import java.util.concurrent.CountDownLatch;

/**
 * A place where threads stop until a test lets them go. The code under test calls {@link #pass} through a hook. The
 * test waits with {@link #awaitArrival} until a thread stands there, does what has to happen in between, and calls
 * {@link #open}. Any thread may call any method.
 */
public final class Gate {
  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  /** Waits until the gate is open. A thread that comes later passes at once. */
  public void pass() {
    arrived.countDown();
    await(opened);
  }

  /** Waits until a thread has reached {@link #pass}. */
  public void awaitArrival() {
    await(arrived);
  }

  /** Lets the waiting threads go, and all later ones. */
  public void open() {
    opened.countDown();
  }

  /** Returns whether a thread has reached {@link #pass}. */
  public boolean isReached() {
    return arrived.getCount() == 0;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted at a gate: the test hangs, or was cancelled", e);
    }
  }
}
