package dev.cairn.kernels.cpu.convolution;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ConvolutionForm;
import dev.cairn.kernels.attribute.TransposedWindow;
import dev.cairn.kernels.attribute.TransposedWindow.Axis;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;

/**
 * {@code ConvTranspose} with windows of 2x2 that lie side by side, as networks double an image's size: each input makes
 * four outputs of its own. A vector of neighbouring inputs makes two rows of outputs at once, without a workspace.
 *
 * <pre> x[c] (one vector) · w[c,m] (four numbers), summed over c
 *   →  | even, upper | odd, upper | even, lower | odd, lower |
 *   →  rows 2i and 2i+1 of output m, even and odd pixels interleaved </pre>
 */
final class PairedTaps implements Kernel {
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final long TAPS_BYTES = 4L * Float.BYTES;
  /** The least number of terms that is worth a second thread. */
  private static final long GRAIN_TERMS = 1 << 17;
  /** They interleave the elements of two vectors: of the lower halves, and of the upper ones. */
  private static final VectorShuffle<Float> LOWER = VectorShuffle.makeZip(SPECIES, 0);
  private static final VectorShuffle<Float> UPPER = VectorShuffle.makeZip(SPECIES, 1);

  private final int groups;

  private PairedTaps(int groups) {
    this.groups = groups;
  }

  /**
   * The kernel, if the windows allow it. Attributes and weights alone decide, so the answer is the same for images of
   * any size.
   */
  static Optional<PairedTaps> find(Attributes attributes, Shape image, Shape weights) {
    if (TransposedWindow.isSized(attributes) || weights.rank() != 4) {
      return Optional.empty();
    }
    for (Axis it : TransposedWindow.of(attributes, image, weights).axes()) {
      if (it.kernel() != 2 || it.stride() != 2 || it.dilation() != 1 || it.padBegin() != 0
        || it.output() != 2L * it.input()) {
        return Optional.empty();
      }
    }
    return Optional.of(new PairedTaps(ConvolutionForm.of(attributes).groups()));
  }

  @Override
  public void run(KernelCall call) {
    var image = new Image(call, groups);
    long lines = call.input(0).shape().extent(0) * groups * image.outputs * image.height;
    long grain = Math.max(1, GRAIN_TERMS / (4L * image.channels * image.width + 1));
    CpuStream.of(call).parallel(lines, grain, (first, end) -> {
      for (long line = first; line < end; line++) {
        image.line(call, line);
      }
    });
  }

  /** One call. */
  private static final class Image {
    private final MemorySegment x;
    private final MemorySegment weights;
    private final MemorySegment y;
    private final int groups;
    private final int channels;
    private final int outputs;
    private final int height;
    private final int width;

    Image(KernelCall call, int groups) {
      Shape image = call.input(0).shape();
      this.x = call.input(0).segment();
      this.weights = call.input(1).segment();
      this.y = call.output(0).segment();
      this.groups = groups;
      this.channels = Math.toIntExact(image.extent(1) / groups);
      this.outputs = Math.toIntExact(call.input(1).shape().extent(1));
      this.height = Math.toIntExact(image.extent(2));
      this.width = Math.toIntExact(image.extent(3));
    }

    /** Two rows of one output channel, from one row of all channels of its group. */
    void line(KernelCall call, long line) {
      long plane = line / height;
      int row = (int) (line % height);
      long item = plane / outputs;
      long output = item % groups * outputs + plane % outputs;
      float bias = call.has(2) ? call.input(2).segment().get(FLOAT, output * Float.BYTES) : 0;
      long from = (item * channels * height + row) * width * Float.BYTES;
      long taps = (item % groups * channels * outputs + plane % outputs) * TAPS_BYTES;
      long to = (plane * height + row) * 4L * width * Float.BYTES;
      int whole = SPECIES.loopBound(width);
      for (int i = 0; i < whole; i += LANES) {
        vector(from + (long) i * Float.BYTES, taps, bias, to + 2L * i * Float.BYTES);
      }
      if (whole < width) {
        rest(from + (long) whole * Float.BYTES, taps, bias, to + 2L * whole * Float.BYTES, width - whole);
      }
    }

    private void vector(long from, long taps, float bias, long to) {
      FloatVector evenUpper = FloatVector.broadcast(SPECIES, bias);
      FloatVector oddUpper = evenUpper;
      FloatVector evenLower = evenUpper;
      FloatVector oddLower = evenUpper;
      long plane = (long) height * width * Float.BYTES;
      long step = outputs * TAPS_BYTES;
      for (int channel = 0; channel < channels; channel++) {
        FloatVector pixels = FloatVector.fromMemorySegment(SPECIES, x, from + channel * plane, ORDER);
        long tap = taps + channel * step;
        evenUpper = pixels.fma(weight(tap), evenUpper);
        oddUpper = pixels.fma(weight(tap + Float.BYTES), oddUpper);
        evenLower = pixels.fma(weight(tap + 2L * Float.BYTES), evenLower);
        oddLower = pixels.fma(weight(tap + 3L * Float.BYTES), oddLower);
      }
      long half = (long) LANES * Float.BYTES;
      long lower = to + 2L * width * Float.BYTES;
      evenUpper.rearrange(LOWER, oddUpper).intoMemorySegment(y, to, ORDER);
      evenUpper.rearrange(UPPER, oddUpper).intoMemorySegment(y, to + half, ORDER);
      evenLower.rearrange(LOWER, oddLower).intoMemorySegment(y, lower, ORDER);
      evenLower.rearrange(UPPER, oddLower).intoMemorySegment(y, lower + half, ORDER);
    }

    /** The last pixels of a row, which are fewer than a vector has. */
    private void rest(long from, long taps, float bias, long to, int count) {
      FloatVector evenUpper = FloatVector.broadcast(SPECIES, bias);
      FloatVector oddUpper = evenUpper;
      FloatVector evenLower = evenUpper;
      FloatVector oddLower = evenUpper;
      VectorMask<Float> mask = SPECIES.indexInRange(0, count);
      long plane = (long) height * width * Float.BYTES;
      long step = outputs * TAPS_BYTES;
      for (int channel = 0; channel < channels; channel++) {
        FloatVector pixels = FloatVector.fromMemorySegment(SPECIES, x, from + channel * plane, ORDER, mask);
        long tap = taps + channel * step;
        evenUpper = pixels.fma(weight(tap), evenUpper);
        oddUpper = pixels.fma(weight(tap + Float.BYTES), oddUpper);
        evenLower = pixels.fma(weight(tap + 2L * Float.BYTES), evenLower);
        oddLower = pixels.fma(weight(tap + 3L * Float.BYTES), oddLower);
      }
      long half = (long) LANES * Float.BYTES;
      long lower = to + 2L * width * Float.BYTES;
      VectorMask<Float> first = SPECIES.indexInRange(0, 2 * count);
      VectorMask<Float> second = SPECIES.indexInRange(LANES, Math.max(LANES, 2 * count));
      evenUpper.rearrange(LOWER, oddUpper).intoMemorySegment(y, to, ORDER, first);
      evenUpper.rearrange(UPPER, oddUpper).intoMemorySegment(y, to + half, ORDER, second);
      evenLower.rearrange(LOWER, oddLower).intoMemorySegment(y, lower, ORDER, first);
      evenLower.rearrange(UPPER, oddLower).intoMemorySegment(y, lower + half, ORDER, second);
    }

    private FloatVector weight(long at) {
      return FloatVector.broadcast(SPECIES, weights.get(FLOAT, at));
    }
  }
}
