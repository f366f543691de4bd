package dev.cairn.kernels.cuda.reduction;

import dev.cairn.kernels.tensor.Shape;

/**
 * The lines of a tensor along one axis: line {@code n} begins at {@code n / inner * length * inner + n % inner}, and
 * its elements are {@code inner} apart.
 *
 * @param lines the number of lines
 * @param length the number of elements of a line
 * @param inner the distance between neighbouring elements of a line
 */
public record AxisLines(long lines, long length, long inner) {
  public static AxisLines of(Shape shape, long axis) {
    if (shape.rank() == 0) {
      return new AxisLines(1, 1, 1);
    }
    int at = shape.axis(axis);
    long inner = shape.elementCount(at + 1, shape.rank());
    return new AxisLines(shape.elementCount(0, at) * inner, shape.extent(at), inner);
  }
}
