package dev.cairn.kernels.cpu.convolution;

import static dev.cairn.kernels.cpu.convolution.ShiftedDots.LANES;
import static dev.cairn.kernels.cpu.convolution.ShiftedDots.SPECIES;

import dev.cairn.kernels.attribute.ConvolutionGroups;
import dev.cairn.kernels.catalog.KernelCall;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/** The gradients of the weights of a few filters for a few channels. */
final class WeightGradientTask {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

  private final MemorySegment x;
  private final MemorySegment h;
  private final MemorySegment gradient;
  private final ConvolutionGroups groups;
  private final PackedWindows packed;
  private final Part part;
  private final MemorySegment slice;
  private final ShiftedDots dots;
  private final long[] columns;

  /**
   * Which weights.
   *
   * @param firstFilter over all groups
   * @param firstChannel in its group
   */
  record Part(int firstFilter, int filters, int firstChannel, int channels) {}

  WeightGradientTask(KernelCall call, ConvolutionGroups groups, PackedWindows packed, Part part, MemorySegment slice) {
    this.x = call.input(0).segment();
    this.h = call.input(1).segment();
    this.gradient = call.output(0).segment();
    this.groups = groups;
    this.packed = packed;
    this.part = part;
    this.slice = slice;
    this.dots = new ShiftedDots(slice, packed.sumsStart());
    int taps = packed.window().taps();
    this.columns = new long[part.channels * taps];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = packed.tapStart(i / taps, i % taps);
    }
  }

  void run() {
    // The elements behind the last row of inputs are multiplied by zeros, so they must be finite.
    slice.asSlice(0, packed.sumsStart()).fill((byte) 0);
    long all = (long) groups.batch() * packed.imageRows();
    for (long first = 0; first < all; first += packed.bandRows()) {
      int rows = (int) Math.min(packed.bandRows(), all - first);
      packHeads(first, rows);
      packInputs(first, rows + packed.vertical().mostShift());
      multiply(first == 0, rows);
    }
  }

  private void packHeads(long first, int rows) {
    int width = packed.window().outputWidth();
    int height = packed.window().outputHeight();
    long rowBytes = (long) packed.pitch() * Float.BYTES;
    for (int filter = 0; filter < part.filters; filter++) {
      long to = filter * packed.headBytes();
      for (int row = 0; row < rows; row++) {
        long image = (first + row) / packed.imageRows();
        long y = (first + row) % packed.imageRows();
        long from = ((image * groups.outputs() + part.firstFilter + filter) * height + y) * width * Float.BYTES;
        copy(h, from, y < height ? width : 0, to + row * rowBytes);
      }
      FloatVector.zero(SPECIES).intoMemorySegment(slice, to + rows * rowBytes, ORDER);
    }
  }

  /** Copies a row, which ends in zeros. They may cover what follows the row, and is not packed yet. */
  private void copy(MemorySegment source, long from, int count, long to) {
    for (int i = 0; i < packed.pitch(); i += LANES) {
      long at = (long) i * Float.BYTES;
      FloatVector values = FloatVector.zero(SPECIES);
      if (i + LANES <= count) {
        values = FloatVector.fromMemorySegment(SPECIES, source, from + at, ORDER);
      } else if (i < count) {
        values = FloatVector.fromMemorySegment(SPECIES, source, from + at, ORDER, SPECIES.indexInRange(i, count));
      }
      values.intoMemorySegment(slice, to + at, ORDER);
    }
  }

  private void packInputs(long first, int rows) {
    AxisPhases vertical = packed.vertical();
    for (int channel = 0; channel < part.channels; channel++) {
      for (int down = 0; down < vertical.count(); down++) {
        for (int row = 0; row < rows; row++) {
          long image = (first + row) / packed.imageRows();
          int y = vertical.input(down, (int) ((first + row) % packed.imageRows()));
          boolean exists = image < groups.batch() && y >= 0 && y < packed.window().height();
          packRow(channel, down, row, exists ? inputRow(image, channel, y) : -1);
        }
      }
    }
  }

  /** The offset of a row of the input, in elements. */
  private long inputRow(long image, int channel, int y) {
    long plane = groups.inputChannel((int) image, part.firstFilter, part.firstChannel + channel);
    return (plane * packed.window().height() + y) * packed.window().width();
  }

  /** @param from where the row starts, or -1 for zeros */
  private void packRow(int channel, int down, int row, long from) {
    for (int across = 0; across < packed.horizontal().count(); across++) {
      long to = packed.partStart(channel, down, across) + (long) row * packed.pitch() * Float.BYTES;
      copy(x, 0, 0, to);
      if (from >= 0 && packed.window().horizontal().stride() == 1) {
        copyRow(from, to);
      } else if (from >= 0) {
        copyPart(from, across, to);
      }
    }
  }

  private void copyRow(long from, long to) {
    int before = packed.window().horizontal().padBegin();
    int count = Math.min(packed.window().width(), packed.pitch() - before);
    for (int i = 0; i < count; i += LANES) {
      VectorMask<Float> mask = SPECIES.indexInRange(i, count);
      FloatVector.fromMemorySegment(SPECIES, x, (from + i) * Float.BYTES, ORDER, mask)
        .intoMemorySegment(slice, to + (long) (before + i) * Float.BYTES, ORDER, mask);
    }
  }

  private void copyPart(long from, int across, long to) {
    int stride = packed.window().horizontal().stride();
    int input = packed.horizontal().input(across, 0);
    int begin = Math.clamp(Math.ceilDiv(-input, stride), 0, packed.pitch());
    int end = Math.clamp(Math.ceilDiv(packed.window().width() - input, stride), begin, packed.pitch());
    for (int i = begin; i < end; i++) {
      slice.set(FLOAT, to + (long) i * Float.BYTES, x.get(FLOAT, (from + input + (long) i * stride) * Float.BYTES));
    }
  }

  private void multiply(boolean sets, int rows) {
    int length = Math.ceilDiv(rows * packed.pitch(), LANES) * LANES;
    for (int column = 0; column < columns.length; column += ShiftedDots.COLUMNS) {
      for (int j = 0; j < ShiftedDots.COLUMNS; j++) {
        dots.column(j, columns[Math.min(column + j, columns.length - 1)]);
      }
      for (int filter = 0; filter < part.filters; filter += ShiftedDots.ROWS) {
        for (int i = 0; i < ShiftedDots.ROWS; i++) {
          dots.row(i, Math.min(filter + i, part.filters - 1) * packed.headBytes());
        }
        dots.multiply(length);
        add(sets, filter, column);
      }
    }
  }

  private void add(boolean sets, int filter, int column) {
    int taps = packed.window().taps();
    for (int i = 0; i < Math.min(ShiftedDots.ROWS, part.filters - filter); i++) {
      long start = ((long) (part.firstFilter + filter + i) * groups.inputsPerGroup() + part.firstChannel) * taps;
      for (int j = 0; j < Math.min(ShiftedDots.COLUMNS, columns.length - column); j++) {
        long at = (start + column + j) * Float.BYTES;
        gradient.set(FLOAT, at, dots.sum(i, j) + (sets ? 0 : gradient.get(FLOAT, at)));
      }
    }
  }
}
