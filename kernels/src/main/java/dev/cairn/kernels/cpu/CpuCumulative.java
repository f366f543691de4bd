package dev.cairn.kernels.cpu;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code CumSum}: running sums along an axis. Inputs x, axis (a scalar); attributes exclusive and reverse. Floats are
 * summed as {@code double} and rounded once an element; whole numbers wrap.
 */
public final class CpuCumulative {
  private CpuCumulative() {}

  public static void cumSum(KernelCall call) {
    Shape shape = call.input(0).shape();
    if (!shape.equals(call.output(0).shape())) {
      throw new IllegalArgumentException("one shape: operator=CumSum input=%s output=%s"
        .formatted(call.input(0).type(), call.output(0).type()));
    }
    if (shape.elementCount() == 0) {
      return;
    }
    var lines = new Lines(call.input(0), call.output(0), shape.axis(call.input(1).longAt(0)),
      call.attributes().getFlag("exclusive", false), call.attributes().getFlag("reverse", false));
    boolean whole = call.input(0).dtype().isInteger();
    CpuStream.of(call).parallel(lines.outer() * lines.blocks(), Math.max(1, 4096 / lines.extent()), (first, end) -> {
      for (long item = first; item < end; item++) {
        if (whole) {
          lines.sumLongs(item);
        } else {
          lines.sumDoubles(item);
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

    void sumDoubles(long item) {
      int width = width(item);
      double[] sum = new double[width];
      double[] terms = new double[width];
      for (long step = 0; step < extent(); step++) {
        Elements.read(input, at(item, step), terms, width);
        if (exclusive) {
          Elements.write(sum, output, at(item, step), width);
        }
        for (int i = 0; i < width; i++) {
          sum[i] += terms[i];
        }
        if (!exclusive) {
          Elements.write(sum, output, at(item, step), width);
        }
      }
    }

    void sumLongs(long item) {
      int width = width(item);
      long[] sum = new long[width];
      long[] terms = new long[width];
      for (long step = 0; step < extent(); step++) {
        Elements.read(input, at(item, step), terms, width);
        if (exclusive) {
          Elements.write(sum, output, at(item, step), width);
        }
        for (int i = 0; i < width; i++) {
          sum[i] += terms[i];
        }
        if (!exclusive) {
          Elements.write(sum, output, at(item, step), width);
        }
      }
    }
  }
}
