package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;
import java.util.Arrays;

/**
 * The rows of {@code LayerNormalization}, {@code RMSNormalization} and their gradients: each has all axes from {@code
 * axis} on.
 *
 * @param row the extents of one row
 * @param rows how many there are; 0 where a row has no elements
 * @param epsilon what is added to a row's variance, or to its mean square
 */
public record NormalizedRows(Shape row, long rows, float epsilon) {
  public static NormalizedRows of(Attributes attributes, Shape x) {
    Shape row = Shape.of(Arrays.copyOfRange(x.extents(), axis(attributes, x), x.rank()));
    long length = row.elementCount();
    return new NormalizedRows(row, length == 0 ? 0 : x.elementCount() / length, attributes.getFloat("epsilon", 1e-5f));
  }

  /** The first axis of a row. */
  public static int axis(Attributes attributes, Shape x) {
    return x.axis(axis(attributes));
  }

  /** The attribute {@code axis}, by default the last. */
  public static long axis(Attributes attributes) {
    return attributes.getLong("axis", -1);
  }

  /** The number of the type of means and deviations: attribute {@code stash_type}, by default 1 for {@code float32}. */
  public static int stash(Attributes attributes) {
    return attributes.getInt("stash_type", 1);
  }

  /** Whether scale or bias of this shape is the same for each row; else it only broadcasts to the data as a whole. */
  public boolean isSameForEachRow(Shape operand) {
    return operand.rank() <= row.rank() || operand.elementCount(0, operand.rank() - row.rank()) == 1;
  }

  /** The shape of scale or bias that is the same for each row, without the axes before those of a row. */
  public Shape inRow(Shape operand) {
    return operand.rank() <= row.rank()
      ? operand
      : Shape.of(Arrays.copyOfRange(operand.extents(), operand.rank() - row.rank(), operand.rank()));
  }

  /** The number of elements of a row. */
  public long length() {
    return row.elementCount();
  }
}
