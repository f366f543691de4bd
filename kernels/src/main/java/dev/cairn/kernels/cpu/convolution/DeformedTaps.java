package dev.cairn.kernels.cpu.convolution;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConvolutionForm;
import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Optional;

/**
 * The taps of a deformed convolution of images, one after the other. Between elements, a tap mixes the four around it;
 * outside are zeros. For one thread.
 */
final class DeformedTaps {
  private static final int CORNERS = 4;

  final ConvolutionGroups groups;
  final int channels;
  /** Groups of channels whose taps have the same offsets. */
  final int offsetGroups;
  /** In a window of one channel. */
  final int taps;
  /** Windows of one channel. */
  final int positions;
  /** Elements of one channel of an image. */
  final int plane;
  private final TensorView x;
  private final TensorView offset;
  private final Optional<TensorView> mask;
  private final SlidingWindow window;
  private final int height;
  private final int width;

  private double factor;
  private final int[] elements = new int[CORNERS];
  private final double[] weights = new double[CORNERS];
  private final double[][] slopes = new double[2][CORNERS];

  /**
   * @param attributes of the {@code DeformConv}
   * @param x images {@code N,C,H,W}
   * @param w weights {@code M,C/group,kH,kW}; only their shape is read
   * @param offset two numbers, of row and column, for each image, group, tap and position
   * @param mask a factor for each image, group, tap and position; empty for 1
   */
  DeformedTaps(Attributes attributes, TensorView x, TensorView w, TensorView offset, Optional<TensorView> mask) {
    this.x = x;
    this.offset = offset;
    this.mask = mask;
    this.window = SlidingWindow.ofWeights(attributes, x.shape(), w.shape());
    this.groups = ConvolutionGroups.of(attributes, x.shape(), w.shape());
    this.offsetGroups = Math.toIntExact(ConvolutionForm.of(attributes).offsetGroup());
    this.channels = groups.inputsPerGroup() * groups.groups();
    this.taps = window.kernel(0) * window.kernel(1);
    this.positions = window.outputExtent(0) * window.outputExtent(1);
    this.height = Math.toIntExact(x.shape().extent(2));
    this.width = Math.toIntExact(x.shape().extent(3));
    this.plane = height * width;
  }

  /** Channels of a group. */
  int channelsPerOffset() {
    return channels / offsetGroups;
  }

  /** Goes to a tap of a window, for all channels of a group. */
  void place(long image, int group, int tap, int position) {
    long index = (image * offsetGroups + group) * taps + tap;
    double y = window.start(0, position / window.outputExtent(1)) + tap / window.kernel(1) * window.dilation(0) + offset
      .doubleAt(2 * index * positions + position);
    double at = window.start(1, position % window.outputExtent(1)) + tap % window.kernel(1) * window.dilation(1)
      + offset.doubleAt((2 * index + 1) * positions + position);
    factor = mask.isPresent() ? mask.get().doubleAt(index * positions + position) : 1;
    boolean isInside = y > -1 && y < height && at > -1 && at < width;
    int top = isInside ? (int) Math.floor(y) : -2;
    int left = isInside ? (int) Math.floor(at) : -2;
    double down = isInside ? y - top : 0;
    double right = isInside ? at - left : 0;
    for (int i = 0; i < CORNERS; i++) {
      int row = top + i / 2;
      int column = left + i % 2;
      elements[i] = row >= 0 && row < height && column >= 0 && column < width ? row * width + column : -1;
      double ofRow = i / 2 == 0 ? 1 - down : down;
      double ofColumn = i % 2 == 0 ? 1 - right : right;
      weights[i] = ofRow * ofColumn;
      slopes[0][i] = i / 2 == 0 ? -ofColumn : ofColumn;
      slopes[1][i] = i % 2 == 0 ? -ofRow : ofRow;
    }
  }

  /** The factor of the mask at this tap. */
  double factor() {
    return factor;
  }

  /** The value that the tap reads of a channel, without the factor. */
  double sample(long image, int channel) {
    return mixed(image, channel, weights);
  }

  /** The derivative of {@link #sample} by the tap's row, axis 0, or its column. */
  double slope(long image, int channel, int axis) {
    return mixed(image, channel, slopes[axis]);
  }

  private double mixed(long image, int channel, double[] by) {
    long first = (image * channels + channel) * plane;
    return by[0] * at(first, 0) + by[1] * at(first, 1) + (by[2] * at(first, 2) + by[3] * at(first, 3));
  }

  private double at(long first, int corner) {
    return elements[corner] < 0 ? 0 : x.doubleAt(first + elements[corner]);
  }

  /** Adds a number, by their weights, to the elements that the tap mixes. */
  void spread(double number, double[] planes, int first) {
    for (int i = 0; i < CORNERS; i++) {
      if (elements[i] >= 0) {
        planes[first + elements[i]] += number * weights[i];
      }
    }
  }
}
