package dev.cairn.kernels.cpu.access;

import dev.cairn.kernels.tensor.OrderKeys;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * The lines of a tensor along one axis, in row-major order of the other axes.
 *
 * @param extent elements of a line
 * @param inner how far apart neighbours of a line are, and how many lines lie beside each other
 * @param count how many lines there are
 */
public record LinesAlong(long extent, long inner, long count) {

  /** A scalar is one line of one element, whatever the axis. */
  public static LinesAlong of(Shape shape, long axis) {
    if (shape.rank() == 0) {
      return new LinesAlong(1, 1, 1);
    }
    int index = shape.axis(axis);
    long inner = shape.elementCount(index + 1, shape.rank());
    return new LinesAlong(shape.extent(index), inner, shape.elementCount(0, index) * inner);
  }

  /** Lines that make a range worth sharing among threads. */
  public long grain(long elementsAtLeast) {
    return Math.max(1, elementsAtLeast / Math.max(1, extent));
  }

  /** The flat index of an element of a line. */
  public long at(long line, long index) {
    return (line / inner * extent + index) * inner + line % inner;
  }

  public void read(TensorView from, long line, double[] to) {
    if (inner == 1) {
      Elements.read(from, line * extent, to, to.length);
      return;
    }
    double[] one = new double[1];
    for (int i = 0; i < to.length; i++) {
      Elements.read(from, at(line, i), one, 1);
      to[i] = one[0];
    }
  }

  public void write(double[] from, TensorView to, long line) {
    if (inner == 1) {
      Elements.write(from, to, line * extent, from.length);
      return;
    }
    double[] one = new double[1];
    for (int i = 0; i < from.length; i++) {
      one[0] = from[i];
      Elements.write(one, to, at(line, i), 1);
    }
  }

  /** A line's {@link OrderKeys}. */
  public void readKeys(TensorView from, long line, long[] keys) {
    if (inner == 1) {
      Elements.readKeys(from, line * extent, keys, keys.length);
      return;
    }
    for (int i = 0; i < keys.length; i++) {
      keys[i] = OrderKeys.of(from, at(line, i));
    }
  }
}
