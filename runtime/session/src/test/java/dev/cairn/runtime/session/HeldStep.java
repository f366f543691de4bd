package dev.cairn.runtime.session;

import dev.cairn.runtime.trace.RunObserver;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** Holds the first run of a session before its first step, until let go; later runs pass. */
final class HeldStep implements RunObserver {
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);
  private final AtomicBoolean first = new AtomicBoolean(true);

  void awaitReached() throws InterruptedException {
    reached.await();
  }

  void letGo() {
    open.countDown();
  }

  @Override
  public void stepBegan(int step, int stream) {
    if (first.compareAndSet(true, false)) {
      reached.countDown();
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException("held step was interrupted", e);
      }
    }
  }
}
