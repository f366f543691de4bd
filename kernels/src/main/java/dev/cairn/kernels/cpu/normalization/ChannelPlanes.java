package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * A tensor {@code NxCx...} as planes, one for each image and channel; of rank 1, each element is an image of one
 * channel.
 *
 * @param channels the second extent
 * @param planes images times channels
 * @param elements elements of one plane
 */
public record ChannelPlanes(long channels, long planes, long elements) {

  public static ChannelPlanes of(Shape shape) {
    long channels = shape.rank() < 2 ? 1 : shape.extent(1);
    long elements = shape.rank() < 2 ? 1 : shape.elementCount(2, shape.rank());
    return new ChannelPlanes(channels, shape.rank() == 0 ? 1 : shape.extent(0) * channels, elements);
  }

  /** Planes that make one range worth sharing among threads. */
  public long grain(long elementsAtLeast) {
    return Math.max(1, elementsAtLeast / Math.max(1, elements));
  }

  /** Writes {@code x * factor + offset} for one plane, in {@code double}. */
  void scale(TensorView x, TensorView y, long plane, double factor, double offset) {
    double[] block = new double[Elements.BLOCK];
    for (long at = 0; at < elements; at += block.length) {
      int count = (int) Math.min(block.length, elements - at);
      Elements.read(x, plane * elements + at, block, count);
      for (int i = 0; i < count; i++) {
        block[i] = block[i] * factor + offset;
      }
      Elements.write(block, y, plane * elements + at, count);
    }
  }
}
