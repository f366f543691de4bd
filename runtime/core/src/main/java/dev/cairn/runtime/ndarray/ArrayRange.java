package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.operator.MemoryTraits;
import org.jspecify.annotations.Nullable;

/**
 * A dense, row-major tensor within a storage.
 *
 * @param offset of the first element, in bytes
 */
record ArrayRange(ArrayStorage storage, long offset, TensorType type) {
  static ArrayRange whole(ArrayStorage storage, TensorType type) {
    return new ArrayRange(storage, 0, type);
  }

  /** Its bytes, for who reads in its turn. */
  TensorView view() {
    return storage.view(offset, type, storage.memory());
  }

  /** Its bytes, for who writes in its turn; takes memory if there is none yet. */
  TensorView taken() {
    return storage.view(offset, type, storage.take());
  }

  /** What a kernel reads; null where an operand is absent. */
  static @Nullable TensorView[] views(@Nullable ArrayRange[] read) {
    return views(read, new TensorView[read.length]);
  }

  /** As {@link #views(ArrayRange[])}, into an array of the same length. */
  static @Nullable TensorView[] views(@Nullable ArrayRange[] read, @Nullable TensorView[] views) {
    for (int i = 0; i < views.length; i++) {
      ArrayRange range = read[i];
      views[i] = range == null ? null : range.view();
    }
    return views;
  }

  /** What a kernel writes. */
  static TensorView[] taken(ArrayRange[] written) {
    return taken(written, new TensorView[written.length]);
  }

  /** As {@link #taken(ArrayRange[])}, into an array of the same length. */
  static TensorView[] taken(ArrayRange[] written, TensorView[] views) {
    for (int i = 0; i < views.length; i++) {
      views[i] = written[i].taken();
    }
    return views;
  }

  /** Whether a kernel that reads it as an operand would read what it has written to the target. */
  boolean mustBeCopied(ArrayRange target, MemoryTraits memory, int index) {
    return overlaps(target) && !(equals(target) && memory.allowsInPlace(index, 0));
  }

  boolean coversStorage() {
    return type.bytes() == storage.bytes;
  }

  boolean overlaps(ArrayRange other) {
    return sharesStorage(other) && offset < other.offset + other.type.bytes() && other.offset < offset + type.bytes();
  }

  boolean sharesStorage(ArrayRange other) {
    return storage.equals(other.storage);
  }
}
