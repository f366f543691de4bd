package dev.cairn.kernels.cpu.reduction;

import dev.cairn.kernels.attribute.CumulativeForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.BlockLoop;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * {@code CumSum} and {@code CumProd}: running sums and products along an axis. Inputs x, axis (a scalar); attributes
 * exclusive and reverse. Floats are computed as {@code double} and rounded once an element; whole numbers wrap.
 */
public final class CpuCumulative implements Kernel {
  /** {@code CumSum}. */
  public static final Kernel SUM = new CpuCumulative(0, (a, b) -> a + b, (a, b) -> a + b);
  /** {@code CumProd}. */
  public static final Kernel PRODUCT = new CpuCumulative(1, (a, b) -> a * b, (a, b) -> a * b);

  private final long start;
  private final BlockLoop<BlockLoop.OfReals> real;
  private final BlockLoop<BlockLoop.OfWholes> whole;

  private CpuCumulative(long start, DoubleBinaryOperator real, LongBinaryOperator whole) {
    this.start = start;
    this.real = BlockLoop.of(real);
    this.whole = BlockLoop.of(whole);
  }

  @Override
  public void run(KernelCall call) {
    Shape shape = call.input(0).shape();
    if (!shape.equals(call.output(0).shape())) {
      throw new IllegalArgumentException("one shape: input=%s output=%s"
        .formatted(call.input(0).type(), call.output(0).type()));
    }
    if (shape.elementCount() == 0) {
      return;
    }
    var lines = new Lines(call.input(0), call.output(0), shape.axis(call.input(1).longAt(0)),
      CumulativeForm.of(call.attributes()).isExclusive(), CumulativeForm.of(call.attributes()).isReversed());
    boolean isWhole = call.input(0).dtype().isInteger();
    CpuStream.of(call).parallel(lines.outer() * lines.blocks(), Math.max(1, 4096 / lines.extent()), (first, end) -> {
      for (long item = first; item < end; item++) {
        if (isWhole) {
          lines.joinLongs(item, start, whole.get());
        } else {
          lines.joinDoubles(item, start, real.get());
        }
      }
    });
  }

  /** The lines along the axis, up to {@link Elements#BLOCK} neighbours at a time. */
  private record Lines(TensorView input, TensorView output, int axis, boolean exclusive, boolean reverse) {
    long extent() {
      return input.shape().extent(axis);
    }

    long outer() {
      return input.shape().elementCount(0, axis);
    }

    long behind() {
      return input.shape().elementCount(axis + 1, input.shape().rank());
    }

    long blocks() {
      return Math.ceilDiv(behind(), (long) Elements.BLOCK);
    }

    private int width(long item) {
      return (int) Math.min(Elements.BLOCK, behind() - item % blocks() * Elements.BLOCK);
    }

    /** Flat index of the first element of a block of lines at a step of the walk. */
    private long at(long item, long step) {
      long index = reverse ? extent() - 1 - step : step;
      return (item / blocks() * extent() + index) * behind() + item % blocks() * Elements.BLOCK;
    }

    void joinDoubles(long item, long start, BlockLoop.OfReals loop) {
      if (behind() == 1) {
        scan(item, (double) start, loop);
        return;
      }
      int width = width(item);
      double[] joined = new double[width];
      Arrays.fill(joined, (double) start);
      double[] terms = new double[width];
      for (long step = 0; step < extent(); step++) {
        Elements.read(input, at(item, step), terms, width);
        if (exclusive) {
          Elements.write(joined, output, at(item, step), width);
        }
        loop.combine(joined, terms, width);
        if (!exclusive) {
          Elements.write(joined, output, at(item, step), width);
        }
      }
    }

    void joinLongs(long item, long start, BlockLoop.OfWholes loop) {
      if (behind() == 1) {
        scan(item, start, loop);
        return;
      }
      int width = width(item);
      long[] joined = new long[width];
      Arrays.fill(joined, start);
      long[] terms = new long[width];
      for (long step = 0; step < extent(); step++) {
        Elements.read(input, at(item, step), terms, width);
        if (exclusive) {
          Elements.write(joined, output, at(item, step), width);
        }
        loop.combine(joined, terms, width);
        if (!exclusive) {
          Elements.write(joined, output, at(item, step), width);
        }
      }
    }

    /** One line, whose elements are neighbours: a block after the other, the last first where it is reversed. */
    private void scan(long line, double start, BlockLoop.OfReals loop) {
      double[] block = new double[(int) Math.min(Elements.BLOCK, extent())];
      double joined = start;
      for (long done = 0; done < extent(); done += block.length) {
        int count = (int) Math.min(block.length, extent() - done);
        long at = line * extent() + (reverse ? extent() - done - count : done);
        Elements.read(input, at, block, count);
        reverseWhereWanted(block, count);
        double before = joined;
        joined = loop.scan(joined, block, count);
        if (exclusive) {
          System.arraycopy(block, 0, block, 1, count - 1);
          block[0] = before;
        }
        reverseWhereWanted(block, count);
        Elements.write(block, output, at, count);
      }
    }

    private void reverseWhereWanted(double[] block, int count) {
      for (int i = 0; reverse && i < count / 2; i++) {
        double other = block[i];
        block[i] = block[count - 1 - i];
        block[count - 1 - i] = other;
      }
    }

    /** One line, whose elements are neighbours: a block after the other, the last first where it is reversed. */
    private void scan(long line, long start, BlockLoop.OfWholes loop) {
      long[] block = new long[(int) Math.min(Elements.BLOCK, extent())];
      long joined = start;
      for (long done = 0; done < extent(); done += block.length) {
        int count = (int) Math.min(block.length, extent() - done);
        long at = line * extent() + (reverse ? extent() - done - count : done);
        Elements.read(input, at, block, count);
        reverseWhereWanted(block, count);
        long before = joined;
        joined = loop.scan(joined, block, count);
        if (exclusive) {
          System.arraycopy(block, 0, block, 1, count - 1);
          block[0] = before;
        }
        reverseWhereWanted(block, count);
        Elements.write(block, output, at, count);
      }
    }

    private void reverseWhereWanted(long[] block, int count) {
      for (int i = 0; reverse && i < count / 2; i++) {
        long other = block[i];
        block[i] = block[count - 1 - i];
        block[count - 1 - i] = other;
      }
    }
  }
}
