package dev.cairn.kernels.cpu.normalization;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Some neighbouring channels of tensors {@code NxCx...}. A walk reads them image by image, in blocks. Each channel's
 * elements come in the order in which they lie, wherever the channels are cut.
 *
 * @param first the first channel
 * @param channels how many channels
 */
record ChannelRange(ChannelPlanes planes, long first, int channels) {
  private static final long GRAIN = 1 << 12;

  /** Work on some elements of one channel, which are in the blocks. */
  @FunctionalInterface
  interface Body {
    /** @param channel counted from the first of the range */
    void run(int channel, int from, int to);
  }

  /** Works on all channels of a call's first operand, in ranges that threads share. */
  static void parallel(KernelCall call, Consumer<ChannelRange> work) {
    var planes = ChannelPlanes.of(call.input(0).shape());
    long ofChannel = call.input(0).elementCount() / Math.max(1, planes.channels());
    CpuStream.of(call).parallel(planes.channels(), Math.max(1, GRAIN / Math.max(1, ofChannel)), (first, end) -> work
      .accept(new ChannelRange(planes, first, Math.toIntExact(end - first))));
  }

  /** How many elements each channel has. */
  long elementsOfChannel() {
    return planes.planes() / planes.channels() * planes.elements();
  }

  /**
   * Calls a body with all elements.
   *
   * @param from tensors that are read, one for each block
   * @param to takes the first block after the body, if given
   */
  void walk(List<TensorView> from, double[][] blocks, @Nullable TensorView to, Body body) {
    long inImage = channels * planes.elements();
    for (long image = 0; image < planes.planes() / planes.channels(); image++) {
      long base = (image * planes.channels() + first) * planes.elements();
      for (long at = 0; at < inImage; at += Elements.BLOCK) {
        int width = (int) Math.min(Elements.BLOCK, inImage - at);
        for (int i = 0; i < blocks.length; i++) {
          Elements.read(from.get(i), base + at, blocks[i], width);
        }
        byChannel(at, width, body);
        if (to != null) {
          Elements.write(blocks[0], to, base + at, width);
        }
      }
    }
  }

  private void byChannel(long at, int width, Body body) {
    int channel = (int) (at / planes.elements());
    long end = (channel + 1) * planes.elements() - at;
    for (int from = 0; from < width; channel++, end += planes.elements()) {
      int to = (int) Math.min(width, end);
      body.run(channel, from, to);
      from = to;
    }
  }

  /** Blocks for a walk over so many tensors. */
  static double[][] blocks(int tensors) {
    return new double[tensors][Elements.BLOCK];
  }
}
