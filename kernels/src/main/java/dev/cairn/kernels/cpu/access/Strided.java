package dev.cairn.kernels.cpu.access;

import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;

/**
 * One side of a {@link StridedCopy}: where index 0 lies, and how far it is to the next index along each axis. A
 * stride may be 0 (the axis repeats) or negative.
 */
public final class Strided {
  final MemorySegment segment;
  /** The offset of index 0, in elements. */
  final long offset;
  /** One for each axis walked, in elements. */
  final long[] strides;

  public Strided(MemorySegment segment, long offset, long[] strides) {
    this.segment = segment;
    this.offset = offset;
    this.strides = strides;
  }

  /** The whole of a tensor, walked along its own axes. */
  public static Strided of(TensorView view) {
    return new Strided(view.segment(), 0, strides(view.shape().extents()));
  }

  /** The whole of a tensor, walked along axes that its bytes are read as. */
  public static Strided of(TensorView view, long... extents) {
    return new Strided(view.segment(), 0, strides(extents));
  }

  /** Row-major strides. */
  public static long[] strides(long... extents) {
    long[] strides = new long[extents.length];
    long step = 1;
    for (int axis = extents.length - 1; axis >= 0; axis--) {
      strides[axis] = step;
      step *= extents[axis];
    }
    return strides;
  }

  /** The same bytes, beginning so many elements later. */
  public Strided shifted(long elements) {
    return new Strided(segment, offset + elements, strides);
  }

  /** The same bytes, walked so that axis {@code i} is what axis {@code order[i]} was. */
  public Strided permuted(int... order) {
    long[] moved = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      moved[i] = strides[order[i]];
    }
    return new Strided(segment, offset, moved);
  }

  /** The extents of a shape whose axis {@code i} is what axis {@code order[i]} was. */
  public static long[] permuted(Shape shape, int... order) {
    long[] moved = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      moved[i] = shape.extent(order[i]);
    }
    return moved;
  }
}
