package dev.cairn.benchmarks.breadth;

import dev.cairn.kernels.tensor.DType;
import java.util.List;

/**
 * One operator in one form.
 *
 * @param place of the axis in a shape of three; 0 for a form without an axis
 * @param positive whether its real numbers are positive, because negative ones have no result
 */
record BreadthCase(String operator, Form form, Size size, int place, DType dtype, boolean positive) {
  static final List<String> PLACES = List.of("first", "middle", "last");

  /** The node of this case; equal cases and seeds make equal models. */
  OneNode node(long seed) {
    var node = new OneNode(this, seed);
    form.writer().accept(node);
    return node;
  }

  /** The same case in another size. */
  BreadthCase of(Size other) {
    return new BreadthCase(operator, form, other, place, dtype, positive);
  }

  /** The same case with positive numbers. */
  BreadthCase ofPositive() {
    return new BreadthCase(operator, form, size, place, dtype, true);
  }

  /** {@code Softmax: axis, middle; typical float32}. */
  @Override
  public String toString() {
    return "%s: %s%s; %s %s".formatted(operator, form.name(), form.overAxes() ? ", " + PLACES.get(place) : "", size,
      dtype);
  }
}
