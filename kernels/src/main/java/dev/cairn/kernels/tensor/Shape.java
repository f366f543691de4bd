package dev.cairn.kernels.tensor;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The extents of a tensor, outermost first. Immutable; every extent is known and at least 0. A scalar has rank 0 and
 * one element. Text form: {@code 1x3x224x224}, {@code scalar}.
 */
public final class Shape {
  public static final Shape SCALAR = new Shape(new long[0]);

  private final long[] extents;
  private final long elementCount;
  private final int hash;

  private Shape(long[] extents) {
    this.extents = extents;
    for (long extent : extents) {
      if (extent < 0) {
        throw new IllegalArgumentException("negative extent: shape=" + Arrays.toString(extents));
      }
    }
    this.elementCount = product(0, extents.length);
    this.hash = Arrays.hashCode(extents);
  }

  public static Shape of(long... extents) {
    return extents.length == 0 ? SCALAR : new Shape(extents.clone());
  }

  public int rank() {
    return extents.length;
  }

  /** The extent of an axis; a negative axis counts from the end, so {@code -1} is the innermost. */
  public long extent(int axis) {
    return extents[axis(axis)];
  }

  /** The axis as an index from 0; accepts {@code -rank .. rank-1}. */
  public int axis(long axis) {
    if (axis < -extents.length || axis >= extents.length) {
      throw new IllegalArgumentException("no such axis: axis=%d rank=%d".formatted(axis, extents.length));
    }
    return (int) (axis < 0 ? axis + extents.length : axis);
  }

  /** Product of the extents; 1 for a scalar. */
  public long elementCount() {
    return elementCount;
  }

  /**
   * Product of the extents of axes {@code [first, end)}; 1 when the range is empty.
   *
   * @throws IllegalArgumentException if a long does not count them, as may be in a shape without elements
   */
  public long elementCount(int first, int end) {
    return product(first, end);
  }

  private long product(int first, int end) {
    long count = 1;
    for (int i = first; i < end; i++) {
      long extent = extents[i];
      if (Math.multiplyHigh(count, extent) != 0 || count * extent < 0) {
        throw new IllegalArgumentException("too many elements for a long: shape=" + Arrays.toString(extents));
      }
      count *= extent;
    }
    return count;
  }

  /** A copy of the extents. */
  public long[] extents() {
    return extents.clone();
  }

  /** This shape with another extent for one axis. */
  public Shape with(int axis, long extent) {
    long[] copy = extents.clone();
    copy[axis(axis)] = extent;
    return new Shape(copy);
  }

  /** This shape without one axis. */
  public Shape without(int axis) {
    int dropped = axis(axis);
    return of(IntStream.range(0, rank()).filter(it -> it != dropped).mapToLong(it -> extents[it]).toArray());
  }

  /** This shape with one more axis, which has this index and this extent. */
  public Shape inserted(int axis, long extent) {
    return of(IntStream.rangeClosed(0, rank()).mapToLong(it -> it == axis
      ? extent
      : extents[it < axis ? it : it - 1]).toArray());
  }

  /**
   * The common shape of two operands by NumPy's broadcasting rule: axes align at the innermost one, and extents must be
   * equal or one of them 1.
   *
   * @throws IllegalArgumentException when two extents differ and neither is 1
   */
  public Shape broadcastWith(Shape other) {
    int rank = Math.max(rank(), other.rank());
    long[] result = new long[rank];
    for (int i = 0; i < rank; i++) {
      long a = i < rank - rank() ? 1 : extents[i - (rank - rank())];
      long b = i < rank - other.rank() ? 1 : other.extents[i - (rank - other.rank())];
      if (a != b && a != 1 && b != 1) {
        throw new IllegalArgumentException("shapes do not broadcast: left=%s right=%s".formatted(this, other));
      }
      result[i] = a == 1 ? b : a;
    }
    return of(result);
  }

  @Override
  public boolean equals(Object other) {
    return this == other || (other instanceof Shape that && hash == that.hash && Arrays.equals(extents, that.extents));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return extents.length == 0
      ? "scalar"
      : Arrays.stream(extents).mapToObj(Long::toString).collect(Collectors.joining("x"));
  }
}
