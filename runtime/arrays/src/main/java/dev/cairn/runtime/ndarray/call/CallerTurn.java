package dev.cairn.runtime.ndarray.call;

import dev.cairn.runtime.engine.queue.AsyncWork;
import dev.cairn.runtime.engine.queue.Completion;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An operation whose work the calling thread does when its turn comes. Whatever the caller throws, the operation ends:
 * otherwise all later operations of its variables would wait for ever.
 */
final class CallerTurn implements AsyncWork {
  private static final long LOOK_NANOS = 1_000_000;

  private final boolean isRead;
  private final Thread caller = Thread.currentThread();
  private volatile @Nullable Completion completion;
  /** Why the caller does not come any more. */
  private @Nullable Throwable absence;

  /** @param isRead whether the work leaves all values as they are, so that it cannot spoil them */
  CallerTurn(boolean isRead) {
    this.isRead = isRead;
  }

  @Override
  public void start(Completion started) {
    Throwable why;
    synchronized (this) {
      completion = started;
      why = absence;
    }
    if (why != null) {
      end(started, why);
    } else {
      LockSupport.unpark(caller);
    }
  }

  /**
   * Waits for the turn and does the work.
   *
   * @param throwIfSkipped throws when the turn never comes
   */
  <R> R run(Runnable throwIfSkipped, Supplier<R> work) {
    R result;
    try {
      Completion begun = await(throwIfSkipped);
      begun.started();
      result = work.get();
    } catch (RuntimeException | Error e) {
      leave(e);
      throw e;
    }
    Completion begun = completion;
    if (begun != null) {
      begun.complete();
    }
    return result;
  }

  private Completion await(Runnable throwIfSkipped) {
    boolean interrupted = false;
    try {
      Completion begun = completion;
      while (begun == null) {
        LockSupport.parkNanos(this, LOOK_NANOS);
        // An interrupt ends no wait. It is cleared, since parkNanos returns at once while it is set.
        interrupted |= Thread.interrupted();
        begun = completion;
        if (begun == null) {
          throwIfSkipped.run();
        }
      }
      return begun;
    } finally {
      if (interrupted) {
        caller.interrupt();
      }
    }
  }

  /** Ends the operation now, or when its turn comes. */
  private void leave(Throwable why) {
    Completion begun;
    synchronized (this) {
      absence = why;
      begun = completion;
    }
    if (begun != null) {
      end(begun, why);
    }
  }

  /** A write that throws leaves the bytes half written: they count as never computed. */
  private void end(Completion begun, Throwable why) {
    if (isRead) {
      begun.complete();
    } else {
      begun.fail(why);
    }
  }
}
