package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.backend.LocatedView;
import dev.cairn.runtime.ndarray.storage.ArrayRange;
import dev.cairn.runtime.ndarray.storage.ArrayStorage;
import dev.cairn.runtime.value.Tensor;
import dev.cairn.runtime.value.TensorMemory;
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

  /**
   * Keeps the bytes of an array that is computed, and the memory pool that they lie in.
   *
   * @throws IllegalStateException when the array is closed
   */
  static HeldArray of(ArrayRange range) {
    ArrayStorage storage = range.storage();
    storage.engine().require("view");
    // The pool comes first: a runtime that closes meanwhile finds it in use before it finds the bytes in use.
    storage.device().retain();
    boolean isHeld = false;
    try {
      storage.hold();
      isHeld = true;
    } finally {
      if (!isHeld) {
        storage.device().close();
      }
    }
    return new HeldArray(range);
  }

  /** The bytes. Later writes to the array show here. */
  public TensorView view() {
    if (closed.get()) {
      throw new IllegalStateException("bytes of an array are not held any more: " + range.type());
    }
    return view;
  }

  /** A tensor over the bytes; closing it closes this. */
  Tensor tensor() {
    return TensorMemory.owned(LocatedView.onHost(view()), this::close).tensor();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        range.storage().endHold();
      } finally {
        // Last: this may give the pool back in which the bytes lie.
        range.storage().device().close();
      }
    }
  }
}
