package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorView;
import java.util.concurrent.atomic.AtomicBoolean;

/** The computed bytes of an array, which stay where they are until this is closed, also when array and runtime are. */
public final class HeldArray implements AutoCloseable {
  private final ArrayRange range;
  private final TensorView view;
  private final AtomicBoolean closed = new AtomicBoolean();

  private HeldArray(ArrayRange range) {
    this.range = range;
    this.view = range.view();
  }

  /** @param range of a storage that is retained for this */
  static HeldArray of(ArrayRange range) {
    range.storage().device.retain();
    return new HeldArray(range);
  }

  /** The bytes. Later writes to the array show here. */
  public TensorView view() {
    if (closed.get()) {
      throw new IllegalStateException("bytes of an array are not held any more: " + range.type());
    }
    return view;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      range.storage().release();
      range.storage().device.close();
    }
  }
}
