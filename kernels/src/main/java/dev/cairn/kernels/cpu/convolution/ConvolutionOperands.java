package dev.cairn.kernels.cpu.convolution;

import static dev.cairn.kernels.cpu.vector.RegisterTile.COLUMNS;
import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.product.MatrixPanels;
import dev.cairn.kernels.cpu.product.TiledOperands;
import dev.cairn.kernels.cpu.product.TiledProduct;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import org.jspecify.annotations.Nullable;

/**
 * A convolution as a matrix product, one for each image and group: the weights (a row for each output channel) times
 * the image unrolled (a row for each tap of each channel, a column for each output). The unrolled image never exists
 * as a whole: panels of it are packed as they are needed. A depth block is a number of whole channels.
 */
public final class ConvolutionOperands implements TiledOperands {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final long PACKED = (long) COLUMNS * Float.BYTES;

  private final ConvolutionGroups groups;
  private final ImageWindow window;
  private final MemorySegment input;
  private final MemorySegment weights;
  private final @Nullable MemorySegment bias;
  private final MemorySegment output;

  public ConvolutionOperands(KernelCall call, ConvolutionGroups groups, ImageWindow window) {
    this.groups = groups;
    this.window = window;
    this.input = call.input(0).segment();
    this.weights = call.input(1).segment();
    this.bias = call.has(2) ? call.input(2).segment() : null;
    this.output = call.output(0).segment();
  }

  public static TiledProduct.Size size(ConvolutionGroups groups, ImageWindow window) {
    int taps = window.taps();
    return new TiledProduct.Size(Math.multiplyExact(groups.batch(), groups.groups()), groups.outputsPerGroup(), window
      .outputs(), Math.multiplyExact(groups.inputsPerGroup(), taps),
      taps * Math.max(1, TiledProduct.DEPTH_BLOCK / taps));
  }

  @Override
  public MemorySegment left() {
    return weights;
  }

  @Override
  public long leftRowBytes() {
    return (long) groups.inputsPerGroup() * window.taps() * Float.BYTES;
  }

  @Override
  public long leftStart(int product) {
    return (long) (product % groups.groups()) * groups.outputsPerGroup() * leftRowBytes();
  }

  @Override
  public MemorySegment output() {
    return output;
  }

  @Override
  public long outputStart(int product) {
    return (long) product * groups.outputsPerGroup() * window.outputs() * Float.BYTES;
  }

  @Override
  public float start(int product, int row) {
    long channel = (long) (product % groups.groups()) * groups.outputsPerGroup() + row;
    return bias == null ? 0 : bias.get(FLOAT, channel * Float.BYTES);
  }

  @Override
  public void pack(int product, int column, Depths depths, MemorySegment target, long targetStart) {
    int taps = window.taps();
    long plane = (long) window.inputs() * Float.BYTES;
    long start = ((long) product * groups.inputsPerGroup() + depths.first() / taps) * plane;
    if (window.isPointwise()) {
      var extent = new MatrixPanels.Extent(depths.count(), window.outputs() - column);
      MatrixPanels.packRows(input, start + (long) column * Float.BYTES, plane, extent, target, targetStart);
      return;
    }
    int channels = depths.count() / taps;
    int used = 0;
    while (used < COLUMNS) {
      int at = column + used;
      int y = at / window.outputWidth();
      int x = at % window.outputWidth();
      boolean exists = y < window.outputHeight();
      int length = Math.min(LANES, COLUMNS - used);
      length = exists ? Math.min(length, window.outputWidth() - x) : length;
      for (int tap = 0; tap < taps; tap++) {
        Chunk chunk = chunk(exists, y, x, tap, length);
        long to = targetStart + tap * PACKED + (long) used * Float.BYTES;
        if (window.horizontal().stride() == 1) {
          copyChunk(chunk, start, channels, target, to);
        } else {
          copyStrided(chunk, start, channels, target, to);
        }
      }
      used += length;
    }
  }

  /**
   * Neighbouring outputs of one row, under one tap: lane {@code i} reads element {@code from + i * stride} of a
   * channel, where {@code i} lies in {@code [low, high)}, and padding elsewhere.
   */
  private record Chunk(int from, int low, int high, int length) {}

  private Chunk chunk(boolean exists, int y, int x, int tap, int length) {
    var vertical = window.vertical();
    var horizontal = window.horizontal();
    int row = y * vertical.stride() - vertical.padBegin() + tap / horizontal.kernel() * vertical.dilation();
    int first = x * horizontal.stride() - horizontal.padBegin() + tap % horizontal.kernel() * horizontal.dilation();
    if (!exists || row < 0 || row >= window.height()) {
      return new Chunk(0, 0, 0, length);
    }
    int low = Math.clamp(Math.ceilDiv(-first, horizontal.stride()), 0, length);
    int high = Math.clamp(Math.ceilDiv(window.width() - first, horizontal.stride()), low, length);
    return new Chunk(row * window.width() + first, low, high, length);
  }

  private void copyChunk(Chunk chunk, long start, int channels, MemorySegment target, long targetStart) {
    long plane = (long) window.inputs() * Float.BYTES;
    long step = window.taps() * PACKED;
    long from = start + (long) chunk.from * Float.BYTES;
    if (chunk.high - chunk.low == LANES) {
      for (int channel = 0; channel < channels; channel++) {
        FloatVector.fromMemorySegment(SPECIES, input, from + channel * plane, ORDER)
          .intoMemorySegment(target, targetStart + channel * step, ORDER);
      }
      return;
    }
    VectorMask<Float> read = SPECIES.indexInRange(0, chunk.high).andNot(SPECIES.indexInRange(0, chunk.low));
    VectorMask<Float> written = SPECIES.indexInRange(0, chunk.length);
    for (int channel = 0; channel < channels; channel++) {
      FloatVector.fromMemorySegment(SPECIES, input, from + channel * plane, ORDER, read)
        .intoMemorySegment(target, targetStart + channel * step, ORDER, written);
    }
  }

  private void copyStrided(Chunk chunk, long start, int channels, MemorySegment target, long targetStart) {
    long stride = (long) window.horizontal().stride() * Float.BYTES;
    long plane = (long) window.inputs() * Float.BYTES;
    long step = window.taps() * PACKED;
    long from = start + (long) chunk.from * Float.BYTES;
    // Two whole vectors are read, where they lie in the channel.
    boolean whole = chunk.low == 0 && chunk.high == LANES && chunk.from + 2 * LANES <= window.inputs();
    if (whole && window.horizontal().stride() == 2) {
      for (int channel = 0; channel < channels; channel++) {
        StrideTwoLoad.load(input, from + channel * plane)
          .intoMemorySegment(target, targetStart + channel * step, ORDER);
      }
      return;
    }
    for (int channel = 0; channel < channels; channel++) {
      long to = targetStart + channel * step;
      for (int i = 0; i < chunk.low; i++) {
        target.set(FLOAT, to + (long) i * Float.BYTES, 0);
      }
      for (int i = chunk.low; i < chunk.high; i++) {
        target.set(FLOAT, to + (long) i * Float.BYTES, input.get(FLOAT, from + channel * plane + i * stride));
      }
      for (int i = chunk.high; i < chunk.length; i++) {
        target.set(FLOAT, to + (long) i * Float.BYTES, 0);
      }
    }
  }
}
