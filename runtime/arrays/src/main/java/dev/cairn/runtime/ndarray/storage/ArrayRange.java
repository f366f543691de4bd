package dev.cairn.runtime.ndarray.storage;

import dev.cairn.kernels.device.Stream;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.operator.MemoryTraits;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A dense, row-major tensor within a storage. */
public class ArrayRange {
  private final ArrayStorage storage;
  private final long offset;
  private final TensorType type;

  /** @param offset of the first element, in bytes */
  ArrayRange(ArrayStorage storage, long offset, TensorType type) {
    this.storage = storage;
    this.offset = offset;
    this.type = type;
  }

  /** Another array's range, which holds the storage, too. @throws IllegalStateException when no array holds it */
  public final Hold viewedAs(TensorType other, long more) {
    storage.retain();
    return new Hold(storage, offset + more, other, true);
  }

  public final ArrayStorage storage() {
    return storage;
  }

  public final long offset() {
    return offset;
  }

  public final TensorType type() {
    return type;
  }

  /** The bytes of the range, for an operation that reads in its turn. */
  public TensorView view() {
    return storage.view(offset, type, storage.memory());
  }

  /** The bytes of the range, for an operation that writes in its turn; takes memory if there is none yet. */
  public TensorView taken() {
    return storage.view(offset, type, storage.take(null));
  }

  /** Like {@link #taken()}, for work that is given to a stream: memory that was freed on it serves at once. */
  public TensorView taken(Stream stream) {
    return storage.view(offset, type, storage.take(stream));
  }

  /** Whether a kernel that reads it as an operand would read what it has written to the target. */
  public boolean mustBeCopied(ArrayRange target, MemoryTraits memory, int index) {
    return overlaps(target) && !(equals(target) && memory.allowsInPlace(index, 0));
  }

  public boolean coversStorage() {
    return type.bytes() == storage.bytes();
  }

  public boolean overlaps(ArrayRange other) {
    return sharesStorage(other) && offset < other.offset + other.type.bytes() && other.offset < offset + type.bytes();
  }

  public boolean sharesStorage(ArrayRange other) {
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
