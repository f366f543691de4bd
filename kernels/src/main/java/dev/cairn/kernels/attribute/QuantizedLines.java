package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;

/**
 * Which scale and zero point each element of a quantised tensor has: one for all elements, one for each index of an
 * axis, or one for each block of neighbours along that axis. The elements are cut into lines of equal length. Element
 * {@code i} of a line has scale {@code scale(line) + i / run}.
 *
 * @param lines the number of lines
 * @param length elements of a line
 * @param run neighbours in a line that have the same scale
 * @param period lines of one index of the axes before the quantised one
 * @param scalesOfPeriod scales from one such index to the next
 * @param block lines of a period that have the same scales
 * @param scalesOfLine scales that a line has
 */
public record QuantizedLines(long lines, long length, long run, long period, long scalesOfPeriod, long block,
  long scalesOfLine) {

  /**
   * The lines of a tensor.
   *
   * @throws IllegalArgumentException if the scales do not fit the tensor
   */
  public static QuantizedLines of(Attributes attributes, Shape x, Shape scale) {
    QuantizedForm form = QuantizedForm.of(attributes);
    long block = form.block();
    if (block == 0 && scale.rank() <= 1 && scale.elementCount() == 1) {
      return new QuantizedLines(1, x.elementCount(), Long.MAX_VALUE, 1, 0, 1, 1);
    }
    int axis = x.axis(form.axis());
    long extent = x.extent(axis);
    boolean isBlocked = block > 0;
    if (block < 0 || !scale.equals(isBlocked ? x.with(axis, Math.ceilDiv(extent, block)) : Shape.of(extent))) {
      throw new IllegalArgumentException("scales do not fit: tensor=%s scales=%s axis=%d block_size=%d".formatted(x,
        scale, axis, block));
    }
    long outer = x.elementCount(0, axis);
    long inner = x.elementCount(axis + 1, x.rank());
    long blocks = isBlocked ? scale.extent(axis) : 0;
    if (inner == 1) {
      return new QuantizedLines(outer, extent, isBlocked ? block : 1, 1, blocks, 1, 1);
    }
    return isBlocked
      ? new QuantizedLines(outer * extent, inner, 1, extent, blocks, block, inner)
      : new QuantizedLines(outer * extent, inner, Long.MAX_VALUE, extent, 0, 1, 1);
  }

  /** The scale of a line's first element. */
  public long scale(long line) {
    return (line / period * scalesOfPeriod + line % period / block) * scalesOfLine;
  }
}
