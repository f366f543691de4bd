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

  /** The ranges of results, then those of operands; null where an operand is absent. */
  static @Nullable ArrayRange[] of(NDArray[] written, @Nullable NDArray[] read) {
    @Nullable
    ArrayRange[] ranges = new ArrayRange[written.length + read.length];
    for (int i = 0; i < written.length; i++) {
      ranges[i] = written[i].range();
    }
    for (int i = 0; i < read.length; i++) {
      NDArray array = read[i];
      ranges[written.length + i] = array == null ? null : array.range();
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

  /** The range's bytes, for an operation that reads in its turn. */
  TensorView view() {
    return storage.view(offset, type, storage.memory());
  }

  /** The range's bytes, for an operation that writes in its turn; takes memory if there is none yet. */
  TensorView taken() {
    return storage.view(offset, type, storage.take(null));
  }

  /** Like {@link #taken()}, for work that is given to a stream: memory that was freed on it serves at once. */
  TensorView taken(Stream stream) {
    return storage.view(offset, type, storage.take(stream));
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
