package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import org.jspecify.annotations.Nullable;

/**
 * The axis of a {@code DFT}. The last axis of its operand holds real numbers, or pairs of real and imaginary parts.
 *
 * @param length of the transform
 * @param onesided whether a real signal's spectrum, or what the inverse makes such a signal of, has only its first half
 */
public record TransformedAxis(int axis, int length, boolean inverse, boolean onesided) {

  /**
   * @param length the length, by default as long as the axis
   * @param axis by default -2
   * @throws IllegalArgumentException if there is no such axis or length
   */
  public static TransformedAxis of(Attributes attributes, Shape x, @Nullable TensorView length,
    @Nullable TensorView axis) {
    long given = axis == null ? -2 : axis.longAt(0);
    int rank = x.rank();
    long index = given < 0 ? given + rank : given;
    if (rank < 2 || index < 0 || index >= rank - 1 || x.extent(-1) < 1 || x.extent(-1) > 2) {
      throw new IllegalArgumentException(
        "wrong axis, or a last axis that is neither real (1) nor complex (2): x=%s axis=%d".formatted(x,
          given));
    }
    boolean inverse = attributes.getFlag("inverse", false);
    boolean onesided = attributes.getFlag("onesided", false);
    if (onesided && (inverse ? x.extent(-1) != 2 : x.extent(-1) != 1)) {
      throw new IllegalArgumentException(
        "onesided needs a real signal, or with inverse a complex spectrum: x=%s inverse=%b".formatted(x,
          inverse));
    }
    long extent = x.extent((int) index);
    long count = length != null ? length.longAt(0) : inverse && onesided ? 2 * (extent - 1) : extent;
    if (count < 1) {
      throw new IllegalArgumentException("dft_length must be at least 1: dft_length=%d x=%s".formatted(count, x));
    }
    return new TransformedAxis((int) index, Math.toIntExact(count), inverse, onesided);
  }

  /** Whether the operand is half of a spectrum. */
  public boolean isHalf() {
    return inverse && onesided;
  }

  /** The shape of the result. */
  public Shape resultShape(Shape x) {
    Shape along = x.with(axis, onesided && !inverse ? length / 2 + 1 : length);
    return along.with(x.rank() - 1, isHalf() ? 1 : 2);
  }
}
