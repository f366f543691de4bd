package dev.cairn.runtime.ndarray;

import java.util.concurrent.atomic.AtomicBoolean;

/** One array's share in a storage, until closed. It does not know the array, so that the array can be unreachable. */
final class Hold {
  private final ArrayStorage storage;
  private final AtomicBoolean closed = new AtomicBoolean();

  Hold(ArrayStorage storage) {
    this.storage = storage;
  }

  boolean isClosed() {
    return closed.get();
  }

  /** False when it was closed before; nothing changes then. */
  boolean close() {
    boolean first = closed.compareAndSet(false, true);
    if (first) {
      storage.release();
    }
    return first;
  }
}
