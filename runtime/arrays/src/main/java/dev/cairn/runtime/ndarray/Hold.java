package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorType;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One array's range in a storage, whose bytes it holds until closed. It does not know the array, so that the array can
 * be unreachable. Thread-safe.
 */
@SuppressWarnings("ReferenceEquality")
final class Hold extends ArrayRange {
  private static final AtomicReferenceFieldUpdater<Hold, TapePlace> PLACE = AtomicReferenceFieldUpdater.newUpdater(
    Hold.class, TapePlace.class, "place");
  /** The place of an array that is closed. */
  private static final TapePlace CLOSED = new ClosedPlace();

  private volatile @Nullable TapePlace place;

  private static final class ClosedPlace implements TapePlace {
    @Override
    public boolean isOnTape() {
      return false;
    }

    @Override
    public void released() {}

    @Override
    public void backward(NDArray array, @Nullable NDArray head) {
      throw Refusals.closed("backward", array.summary(), null);
    }
  }

  Hold(ArrayStorage storage, long offset, TensorType type) {
    super(storage, offset, type);
  }

  /** The array's type and who made it, without its values. */
  String summary() {
    return "%s made by %s".formatted(type(), storage());
  }

  boolean isClosed() {
    return place == CLOSED;
  }

  /** False when it was closed before; nothing changes then. */
  boolean close() {
    TapePlace before = PLACE.getAndSet(this, CLOSED);
    if (before == CLOSED) {
      return false;
    }
    storage().release();
    if (before != null) {
      before.released();
    }
    return true;
  }

  /** Where the array stands for gradients. */
  @Nullable
  TapePlace place() {
    TapePlace there = place;
    return there == CLOSED ? null : there;
  }

  /** The place that the array had is released; so is the next one if the array is closed. */
  void setPlace(@Nullable TapePlace next) {
    TapePlace before = place;
    while (before != CLOSED && !PLACE.compareAndSet(this, before, next)) {
      before = place;
    }
    TapePlace left = before == CLOSED ? next : before;
    if (left != null) {
      left.released();
    }
    if (next != null && before != CLOSED) {
      storage().placed(next);
    }
  }
}
