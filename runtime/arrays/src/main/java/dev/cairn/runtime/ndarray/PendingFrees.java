package dev.cairn.runtime.ndarray;

import dev.cairn.allocator.Allocator;
import dev.cairn.allocator.Block;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory of closed arrays that streams may still use (D-8): each block goes back to the allocator when its streams are
 * done with it. Thread-safe.
 */
final class PendingFrees {
  /** Beyond so many, an allocation waits for the oldest: else memory would follow the program and not the GPU. */
  private static final int MOST = 1_000;
  private static final long LOOK_NANOS = 20_000;

  private final Allocator allocator;
  private final Deque<Pending> blocks = new ArrayDeque<>();

  private record Pending(Block block, BooleanSupplier areStreamsDone) {
    boolean isDone() {
      try {
        return areStreamsDone.getAsBoolean();
      } catch (RuntimeException e) {
        // The device has failed, so nothing runs on it any more; the operations that failed say so.
        return true;
      }
    }
  }

  PendingFrees(Allocator allocator) {
    this.allocator = allocator;
  }

  /** Waits for nothing. */
  void add(Block block, BooleanSupplier areStreamsDone) {
    synchronized (this) {
      blocks.add(new Pending(block, areStreamsDone));
    }
    freeDone();
  }

  /** Frees what streams are done with, the oldest first, up to one that is still in use. */
  void freeDone() {
    boolean more = true;
    while (more) {
      more = freedOldest();
    }
  }

  /** As {@link #freeDone}; waits while too much is still in use. */
  void makeRoom() {
    freeDone();
    while (count() > MOST) {
      awaitOldest();
    }
  }

  private synchronized boolean freedOldest() {
    Pending oldest = blocks.peek();
    if (oldest == null || !oldest.isDone()) {
      return false;
    }
    blocks.remove();
    allocator.free(oldest.block);
    return true;
  }

  private synchronized int count() {
    return blocks.size();
  }

  private void awaitOldest() {
    Pending oldest = oldest();
    while (oldest != null && !oldest.isDone()) {
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
    freedOldest();
  }

  private synchronized @Nullable Pending oldest() {
    return blocks.peek();
  }

  /** Waits until streams are done with all that is here, and frees it. */
  void freeAll() {
    while (count() > 0) {
      awaitOldest();
    }
  }
}
