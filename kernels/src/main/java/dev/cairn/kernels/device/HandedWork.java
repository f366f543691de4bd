package dev.cairn.kernels.device;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Work that one thread hands to another one, and waits for. */
public final class HandedWork implements Runnable {
  private final Runnable work;
  private final CountDownLatch ended = new CountDownLatch(1);
  /** Written before the latch opens. */
  private @Nullable Throwable failure;

  public HandedWork(Runnable work) {
    this.work = work;
  }

  /** Does the work, on the other thread. Keeps the failure of the work for {@link #await}. */
  @Override
  @SuppressWarnings("CatchingUnchecked") // code in other JVM languages may throw any exception
  public void run() {
    try {
      work.run();
    } catch (Throwable e) {
      failure = e;
    } finally {
      ended.countDown();
    }
  }

  /**
   * Waits until the work has ended, and throws its failure. An interrupt does not end the wait, since the work
   * still uses the caller's memory; the thread is interrupted afterwards.
   */
  public void await() {
    boolean interrupted = false;
    while (true) {
      try {
        ended.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    Throwable failed = failure;
    if (failed != null) {
      throw Rethrown.asItIs(failed);
    }
  }
}
