package dev.cairn.kernels.tensor;

/**
 * Maps an index to an element offset, with one stride for each axis, in elements. A stride of 0 broadcasts the axis;
 * permuted strides transpose. Immutable.
 */
public final class Layout {
  private final Shape shape;
  private final long[] strides;

  private Layout(Shape shape, long[] strides) {
    this.shape = shape;
    this.strides = strides;
  }

  /** Dense, outermost axis first. */
  public static Layout rowMajor(Shape shape) {
    long[] strides = new long[shape.rank()];
    long step = 1;
    for (int axis = shape.rank() - 1; axis >= 0; axis--) {
      strides[axis] = step;
      step *= shape.extent(axis);
    }
    return new Layout(shape, strides);
  }

  /** A layout with any strides, including negative ones. */
  public static Layout strided(Shape shape, long... strides) {
    if (strides.length != shape.rank()) {
      throw new IllegalArgumentException(
        "one stride for each axis is needed: shape=%s strides=%d".formatted(shape, strides.length));
    }
    return new Layout(shape, strides.clone());
  }

  /** This layout broadcast to {@code target} by NumPy's rule: missing axes and axes of extent 1 get stride 0. */
  public Layout broadcastTo(Shape target) {
    int shift = target.rank() - shape.rank();
    if (shift < 0) {
      throw new IllegalArgumentException("shape cannot be broadcast: from=%s to=%s".formatted(shape, target));
    }
    long[] stretched = new long[target.rank()];
    for (int axis = 0; axis < shape.rank(); axis++) {
      boolean repeats = shape.extent(axis) == 1;
      if (!repeats && shape.extent(axis) != target.extent(axis + shift)) {
        throw new IllegalArgumentException("shape cannot be broadcast: from=%s to=%s".formatted(shape, target));
      }
      stretched[axis + shift] = repeats ? 0 : strides[axis];
    }
    return new Layout(target, stretched);
  }

  /** The layout whose axis {@code i} is this one's axis {@code order[i]}. */
  public Layout permuted(int... order) {
    long[] extents = new long[order.length];
    long[] moved = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      extents[i] = shape.extent(order[i]);
      moved[i] = strides[order[i]];
    }
    return new Layout(Shape.of(extents), moved);
  }

  /** The shape of the index space. */
  public Shape shape() {
    return shape;
  }

  /** Elements between neighbours along an axis. */
  public long stride(int axis) {
    return strides[axis];
  }

  /** A copy of the strides, outermost axis first. */
  public long[] strides() {
    return strides.clone();
  }
}
