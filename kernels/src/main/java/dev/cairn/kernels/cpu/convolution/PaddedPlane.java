package dev.cairn.kernels.cpu.convolution;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.attribute.SlidingWindow.Axis;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;

/**
 * Copies bands of a channel into scratch memory such that a window can be computed with whole vectors and no cases:
 * with padding around, and with the columns dealt out to as many lines as the stride, so that what neighbouring
 * outputs read under one tap lies side by side.
 *
 * <pre> a padded row, stride 2:   p a b c d e p   becomes   | p b d p ... | a c e ... |   (each line followed by
 * padding) </pre>
 *
 * Output row {@code y} of the band reads tap {@code t} of output {@code x} at {@code rowStart(y) + tapStart(t) + 4 *
 * x}.
 */
public final class PaddedPlane {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final long BAND_BYTES = 128 << 10;

  private final ImageWindow window;
  private final float padding;
  private final long lineBytes;
  private final long rowBytes;
  private final int reach;

  /** @param padding what stands outside of the image */
  public PaddedPlane(ImageWindow window, float padding) {
    this.window = window;
    this.padding = padding;
    Axis across = window.horizontal();
    int beyond = (across.kernel() - 1) * across.dilation() / across.stride();
    int lineLanes = Math.ceilDiv(window.outputWidth(), LANES) + Math.ceilDiv(beyond, LANES);
    this.lineBytes = (long) lineLanes * LANES * Float.BYTES;
    this.rowBytes = lineBytes * across.stride();
    this.reach = (window.vertical().kernel() - 1) * window.vertical().dilation() + 1;
  }

  /** Output rows of a band: what fits, and at least one. */
  public int bandRows() {
    long room = (BAND_BYTES / rowBytes - reach) / window.vertical().stride() + 1;
    return Math.clamp(room, 1, Math.max(1, window.outputHeight()));
  }

  /** Scratch memory for a band. */
  public long bytes() {
    return ((bandRows() - 1L) * window.vertical().stride() + reach) * rowBytes;
  }

  /**
   * Scratch memory that is enough for a band of this and of every smaller image, of which a band may have more rows.
   */
  public long bytesUpTo() {
    long all = ((window.outputHeight() - 1L) * window.vertical().stride() + reach) * rowBytes;
    return Math.max(reach * rowBytes, Math.min(BAND_BYTES, all));
  }

  public long rowStart(int outputRow) {
    return (long) outputRow * window.vertical().stride() * rowBytes;
  }

  /** The starts of all taps, in row-major order. */
  public long[] tapStarts() {
    Axis across = window.horizontal();
    long[] starts = new long[window.taps()];
    for (int tap = 0; tap < starts.length; tap++) {
      int shift = tap % across.kernel() * across.dilation();
      starts[tap] = (long) (tap / across.kernel()) * window.vertical().dilation() * rowBytes
        + shift % across.stride() * lineBytes + (long) (shift / across.stride()) * Float.BYTES;
    }
    return starts;
  }

  /** Copies the input of output rows {@code [first, end)}, at most of one band. */
  public void copyBand(MemorySegment image, long imageStart, int first, int end, MemorySegment scratch) {
    int rows = (end - first - 1) * window.vertical().stride() + reach;
    int top = first * window.vertical().stride() - window.vertical().padBegin();
    for (int row = 0; row < rows; row++) {
      long to = row * rowBytes;
      fill(scratch, to);
      int y = top + row;
      if (y >= 0 && y < window.height()) {
        copyRow(image, imageStart + (long) y * window.width() * Float.BYTES, scratch, to);
      }
    }
  }

  private void fill(MemorySegment scratch, long start) {
    FloatVector value = FloatVector.broadcast(SPECIES, padding);
    for (long at = 0; at < rowBytes; at += (long) LANES * Float.BYTES) {
      value.intoMemorySegment(scratch, start + at, ORDER);
    }
  }

  private void copyRow(MemorySegment image, long from, MemorySegment scratch, long to) {
    int stride = window.horizontal().stride();
    int pad = window.horizontal().padBegin();
    int lanes = (int) (lineBytes / Float.BYTES);
    for (int line = 0; line < stride; line++) {
      int first = Math.max(0, Math.ceilDiv(pad - line, stride));
      int end = Math.clamp(Math.ceilDiv(window.width() + pad - line, stride), first, lanes);
      long target = to + line * lineBytes;
      long source = from + (long) (line - pad) * Float.BYTES;
      if (stride == 1 && first < end) {
        MemorySegment.copy(image, source + (long) first * Float.BYTES, scratch, target + (long) first * Float.BYTES,
          (long) (end - first) * Float.BYTES);
      } else {
        int i = first;
        // Two whole vectors are read, where they lie in the row.
        for (; stride == 2 && i + LANES < end; i += LANES) {
          StrideTwoLoad.load(image, source + 8L * i).intoMemorySegment(scratch, target + 4L * i, ORDER);
        }
        for (; i < end; i++) {
          float value = image.get(FLOAT, source + (long) i * stride * Float.BYTES);
          scratch.set(FLOAT, target + (long) i * Float.BYTES, value);
        }
      }
    }
  }
}
