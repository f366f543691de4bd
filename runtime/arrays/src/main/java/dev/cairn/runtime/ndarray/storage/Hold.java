package dev.cairn.runtime.ndarray.storage;

import dev.cairn.kernels.tensor.TensorType;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One array's range in a storage, whose bytes it holds until closed. It does not know the array, so that the array can
 * be unreachable. Thread-safe.
 */
@SuppressWarnings("ReferenceEquality")
public final class Hold extends ArrayRange implements AutoCloseable {
  private static final AtomicReferenceFieldUpdater<Hold, GradientPlace> PLACE = AtomicReferenceFieldUpdater
    .newUpdater(Hold.class, GradientPlace.class, "place");
  /** The place of an array that is closed. */
  private static final GradientPlace CLOSED = new ClosedPlace();

  private final boolean isView;
  private volatile @Nullable GradientPlace place;

  private static final class ClosedPlace implements GradientPlace {
    @Override
    public boolean isOnTape() {
      return false;
    }

    @Override
    public void released() {}
  }

  /** @param isView whether it was made as another form of an array's bytes */
  Hold(ArrayStorage storage, long offset, TensorType type, boolean isView) {
    super(storage, offset, type);
    this.isView = isView;
  }

  public boolean isView() {
    return isView;
  }

  /** @throws IllegalStateException when the array or its runtime is closed */
  public void requireOpen(String operation) {
    storage().engine().require(operation);
    if (isClosed()) {
      throw Refusals.closed(operation, summary(), null);
    }
  }

  /**
   * @throws IllegalStateException when the array or its runtime is closed
   * @throws IllegalArgumentException when it is of another runtime than these storages
   */
  public void requireOpenIn(LiveStorages live, String operation) {
    requireOpen(operation);
    if (storage().live() != live) {
      throw Refusals.otherRuntime(operation, this);
    }
  }

  /** @throws IllegalArgumentException when the array is read-only */
  public void requireWritable(String operation) {
    if (storage().isReadOnly()) {
      throw new IllegalArgumentException("a read-only array cannot be written: operation=%s array=%s; write to a copy"
        .formatted(operation, summary()));
    }
  }

  /** The array's type and who made it, without its values. */
  public String summary() {
    return "%s made by %s".formatted(type(), storage());
  }

  public boolean isClosed() {
    return place == CLOSED;
  }

  /** False when it was closed before; nothing changes then. */
  public boolean end() {
    GradientPlace before = PLACE.getAndSet(this, CLOSED);
    if (before == CLOSED) {
      return false;
    }
    storage().release();
    if (before != null) {
      before.released();
    }
    return true;
  }

  /** Like {@link #end}. */
  @Override
  public void close() {
    end();
  }

  /** Where the array stands for gradients. */
  public @Nullable GradientPlace place() {
    GradientPlace there = place;
    return there == CLOSED ? null : there;
  }

  /** The place that the array had is released; so is the next one if the array is closed. */
  public void setPlace(@Nullable GradientPlace next) {
    GradientPlace before = place;
    while (before != CLOSED && !PLACE.compareAndSet(this, before, next)) {
      before = place;
    }
    GradientPlace left = before == CLOSED ? next : before;
    if (left != null) {
      left.released();
    }
    if (next != null && before != CLOSED) {
      storage().placed(next);
    }
  }
}
