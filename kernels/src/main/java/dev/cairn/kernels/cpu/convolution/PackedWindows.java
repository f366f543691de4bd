package dev.cairn.kernels.cpu.convolution;

import static dev.cairn.kernels.cpu.convolution.ShiftedDots.LANES;

import dev.cairn.kernels.attribute.ConvolutionGroups;

/**
 * Where inputs and heads lie in scratch memory, so that the gradient of each weight is one long dot product of heads
 * with inputs from some element on. Both have rows of {@link #pitch} elements: a row of heads ends in zeros, by which
 * elements that do not count are multiplied. Rows of all images follow each other; some at the end of each image are
 * zeros. A band of rows is packed at a time.
 *
 * <pre> slice: | heads of {@link #FILTERS} filters | parts of the inputs of up to {@link #CHANNELS} channels | sums |
 * </pre>
 */
final class PackedWindows {
  /** The most filters and channels that are packed at once. */
  static final int FILTERS = 8;
  static final int CHANNELS = 16;
  /** About so many elements of a band: a few planes of heads fit the first-level cache. */
  private static final int BAND = 1024;

  private final ImageWindow window;
  private final AxisPhases vertical;
  private final AxisPhases horizontal;
  private final int channels;
  private final int pitch;

  PackedWindows(ImageWindow window, ConvolutionGroups groups) {
    this.window = window;
    this.vertical = new AxisPhases(window.vertical());
    this.horizontal = new AxisPhases(window.horizontal());
    this.channels = Math.min(CHANNELS, groups.inputsPerGroup());
    this.pitch = window.outputWidth() + horizontal.mostShift();
  }

  ImageWindow window() {
    return window;
  }

  AxisPhases vertical() {
    return vertical;
  }

  AxisPhases horizontal() {
    return horizontal;
  }

  int pitch() {
    return pitch;
  }

  /** Rows of an image, zeros at its end included. */
  int imageRows() {
    return window.outputHeight() + vertical.mostShift();
  }

  /** Rows of a band. */
  int bandRows() {
    return Math.max(1, BAND / pitch);
  }

  private long bandElements() {
    return Math.max(BAND, pitch);
  }

  /** The bytes from the heads of one filter to those of the next. */
  long headBytes() {
    return (bandElements() + LANES) * Float.BYTES;
  }

  /** The bytes from one part of a channel's inputs to the next. */
  long partBytes() {
    return (bandElements() + (long) vertical.mostShift() * pitch + horizontal.mostShift() + LANES) * Float.BYTES;
  }

  /** The bytes from one channel to the next. */
  long channelBytes() {
    return (long) vertical.count() * horizontal.count() * partBytes();
  }

  long channelsStart() {
    return FILTERS * headBytes();
  }

  long sumsStart() {
    return channelsStart() + channels * channelBytes();
  }

  long sliceBytes() {
    return sumsStart() + ShiftedDots.SUMS_BYTES;
  }

  /** The offset of a part of a channel, in bytes. */
  long partStart(int channel, int verticalPart, int horizontalPart) {
    return channelsStart() + channel * channelBytes() + ((long) verticalPart * horizontal.count() + horizontalPart)
      * partBytes();
  }

  /** The offset of the inputs that a tap reads, in bytes. */
  long tapStart(int channel, int tap) {
    int down = tap / window.horizontal().kernel();
    int across = tap % window.horizontal().kernel();
    long shift = (long) vertical.shift(down) * pitch + horizontal.shift(across);
    return partStart(channel, vertical.part(down), horizontal.part(across)) + shift * Float.BYTES;
  }
}
