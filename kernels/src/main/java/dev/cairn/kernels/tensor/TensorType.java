package dev.cairn.kernels.tensor;

import org.jspecify.annotations.Nullable;

/** Element type and shape of a tensor. Text form: {@code float32[1x3]}. */
public record TensorType(DType dtype, Shape shape) {

  public static TensorType of(DType dtype, long... extents) {
    return new TensorType(dtype, Shape.of(extents));
  }

  /**
   * Bytes of the dense tensor, without padding; the last byte of packed elements may be used in part. Strings
   * lie outside the memory of plans and take none.
   */
  public long bytes() {
    if (shape.elementCount() > dtype.elements(Long.MAX_VALUE)) {
      throw new IllegalArgumentException("too many bytes for a long: type=" + this);
    }
    return dtype.bytes(shape.elementCount());
  }

  public TensorType withShape(Shape other) {
    return new TensorType(dtype, other);
  }

  public TensorType withDType(DType other) {
    return new TensorType(other, shape);
  }

  // Written out: a record's own methods are slow until the JVM has compiled them, and opening a model asks often.
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof TensorType that && dtype == that.dtype && shape.equals(that.shape));
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + dtype.name().hashCode();
  }

  @Override
  public String toString() {
    return dtype + "[" + shape + "]";
  }
}
