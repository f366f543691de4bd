package dev.cairn.runtime.ndarray;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** One array's share in a storage, until closed. It does not know the array, so that the array can be unreachable. */
final class Hold {
  private static final AtomicIntegerFieldUpdater<Hold> CLOSED = AtomicIntegerFieldUpdater.newUpdater(Hold.class,
    "closed");

  private final ArrayStorage storage;
  private volatile int closed;
  private @Nullable TapePlace place;

  Hold(ArrayStorage storage) {
    this.storage = storage;
  }

  boolean isClosed() {
    return closed != 0;
  }

  /** False when it was closed before; nothing changes then. */
  boolean close() {
    boolean first = CLOSED.compareAndSet(this, 0, 1);
    if (first) {
      storage.release();
      setPlace(null);
    }
    return first;
  }

  /** Where the array stands for gradients. */
  synchronized @Nullable TapePlace place() {
    return place;
  }

  /** The place that the array had is released. */
  void setPlace(@Nullable TapePlace next) {
    TapePlace before;
    synchronized (this) {
      before = place;
      place = next;
    }
    if (before != null) {
      before.released();
    }
    if (next != null) {
      storage.placed(next);
    }
  }
}
