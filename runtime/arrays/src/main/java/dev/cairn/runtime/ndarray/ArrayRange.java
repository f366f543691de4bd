package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.operator.MemoryTraits;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A dense, row-major tensor within a storage. */
class ArrayRange {
  private final ArrayStorage storage;
  private final long offset;
  private final TensorType type;

  /** @param offset of the first element, in bytes */
  ArrayRange(ArrayStorage storage, long offset, TensorType type) {
    this.storage = storage;
    this.offset = offset;
    this.type = type;
  }

  /** The ranges of arrays; null where an operand is absent. */
  static @Nullable ArrayRange[] of(@Nullable NDArray[] arrays) {
    @Nullable
    ArrayRange[] ranges = new ArrayRange[arrays.length];
    for (int i = 0; i < ranges.length; i++) {
      NDArray array = arrays[i];
      ranges[i] = array == null ? null : array.range();
    }
    return ranges;
  }

  final ArrayStorage storage() {
    return storage;
  }

  final long offset() {
    return offset;
  }

  final TensorType type() {
    return type;
  }

  /** Its bytes, for an operation that reads in its turn. */
  TensorView view() {
    return storage.view(offset, type, storage.memory());
  }

  /** Its bytes, for an operation that writes in its turn; takes memory if there is none yet. */
  TensorView taken() {
    return storage.view(offset, type, storage.take());
  }

  /** As {@link #taken()}, for work that is given to a stream: memory that was freed on it serves at once. */
  TensorView taken(Stream stream) {
    return storage.view(offset, type, storage.take(stream));
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

  /** What a kernel on a stream writes. */
  static TensorView[] taken(ArrayRange[] written, Stream stream) {
    TensorView[] views = new TensorView[written.length];
    for (int i = 0; i < views.length; i++) {
      views[i] = written[i].taken(stream);
    }
    return views;
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
    return type.bytes() == storage.bytes();
  }

  boolean overlaps(ArrayRange other) {
    return sharesStorage(other) && offset < other.offset + other.type.bytes() && other.offset < offset + type.bytes();
  }

  boolean sharesStorage(ArrayRange other) {
    return storage.equals(other.storage);
  }

  /** Equal for the same tensor in the same storage. */
  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof ArrayRange that && storage.equals(that.storage) && offset == that.offset && type.equals(
      that.type);
  }

  @Override
  public final int hashCode() {
    return Objects.hash(storage, offset, type);
  }

  @Override
  public final String toString() {
    return "%s at %d of %s".formatted(type, offset, storage);
  }
}
