package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorType;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One array's range in a storage, whose bytes it holds until closed. It does not know the array, so that the array can
 * be unreachable.
 */
final class Hold extends ArrayRange {
  private static final AtomicIntegerFieldUpdater<Hold> CLOSED = AtomicIntegerFieldUpdater.newUpdater(Hold.class,
    "closed");

  private volatile int closed;
  private @Nullable TapePlace place;

  Hold(ArrayStorage storage, long offset, TensorType type) {
    super(storage, offset, type);
  }

  boolean isClosed() {
    return closed != 0;
  }

  /** False when it was closed before; nothing changes then. */
  boolean close() {
    boolean first = CLOSED.compareAndSet(this, 0, 1);
    if (first) {
      storage().release();
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
      storage().placed(next);
    }
  }
}
