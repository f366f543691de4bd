package dev.cairn.kernels.cpu.pool;

import dev.cairn.kernels.attribute.PoolForm;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.convolution.ImageWindow;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * {@code MaxPoolGradient(x, y, h)} and {@code AveragePoolGradient(h)} of {@code float32} signals and images, plane by
 * plane: the taps of each window that lie in the input are known beforehand.
 */
public final class VectorPoolGradient implements Kernel {
  /** {@code MaxPoolGradient}. */
  public static final Kernel MAX = new VectorPoolGradient(false);
  /** {@code AveragePoolGradient}. */
  public static final Kernel AVERAGE = new VectorPoolGradient(true);

  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final long GRAIN = 1 << 12;

  private final boolean averages;

  private VectorPoolGradient(boolean averages) {
    this.averages = averages;
  }

  @Override
  public boolean accepts(KernelSignature signature) {
    Shape input = signature.output(0).shape();
    return ImageWindow.fits(SlidingWindow.ofPool(signature.attributes(), input), input);
  }

  @Override
  public void run(KernelCall call) {
    Shape shape = call.output(0).shape();
    SlidingWindow window = SlidingWindow.ofPool(call.attributes(), shape);
    boolean isSignal = window.rank() == 1;
    Taps rows = isSignal ? Taps.ONE : new Taps(window, 0, shape, false);
    Taps columns = new Taps(window, window.rank() - 1, shape, false);
    boolean counted = PoolForm.of(call.attributes()).countsPadding();
    Taps rowDivisors = isSignal || !counted ? rows : new Taps(window, 0, shape, true);
    Taps columnDivisors = counted ? new Taps(window, window.rank() - 1, shape, true) : columns;
    int inputs = Math.toIntExact(shape.elementCount(2, shape.rank()));
    int outputs = rows.count.length * columns.count.length;
    int width = Math.toIntExact(shape.extent(-1));
    long grain = Math.max(1, GRAIN / Math.max(1, inputs));
    CpuStream.of(call).parallel(shape.elementCount(0, 2), grain, (first, end) -> {
      float[] sums = new float[inputs];
      float[] heads = new float[outputs];
      float[] x = new float[averages ? 0 : inputs];
      float[] maxima = new float[averages ? 0 : outputs];
      var plane = new Plane(rows, columns, width, sums, heads);
      for (long i = first; i < end; i++) {
        Arrays.fill(sums, 0);
        if (averages) {
          read(call.input(0), i, heads);
          plane.average(rowDivisors.count, columnDivisors.count);
        } else {
          read(call.input(0), i, x);
          read(call.input(1), i, maxima);
          read(call.input(2), i, heads);
          plane.max(x, maxima);
        }
        MemorySegment.copy(sums, 0, call.output(0).segment(), FLOAT, i * inputs * Float.BYTES, inputs);
      }
    });
  }

  private static void read(TensorView from, long plane, float[] to) {
    MemorySegment.copy(from.segment(), FLOAT, plane * to.length * Float.BYTES, to, 0, to.length);
  }

  /** For each window along one axis: the first input under a tap, and how many taps count. */
  private static final class Taps {
    static final Taps ONE = new Taps();

    final int[] first;
    final int[] count;
    final int step;

    private Taps() {
      first = new int[] {0};
      count = new int[] {1};
      step = 1;
    }

    /** @param divides whether taps in padding count, as they do in divisors */
    Taps(SlidingWindow window, int axis, Shape input, boolean divides) {
      int extent = Math.toIntExact(input.extent(axis + 2));
      first = new int[window.outputExtent(axis)];
      count = new int[first.length];
      step = window.dilation(axis);
      for (int o = 0; o < first.length; o++) {
        first[o] = window.start(axis, o) + window.firstTap(axis, o) * step;
        count[o] = PoolWindow.counted(window, axis, o, extent, divides);
      }
    }
  }

  /** The sums and heads of one plane. */
  private static final class Plane {
    private final Taps rows;
    private final Taps columns;
    private final int width;
    private final float[] sums;
    private final float[] heads;

    Plane(Taps rows, Taps columns, int width, float[] sums, float[] heads) {
      this.rows = rows;
      this.columns = columns;
      this.width = width;
      this.sums = sums;
      this.heads = heads;
    }

    void max(float[] x, float[] maxima) {
      int o = 0;
      for (int y = 0; y < rows.count.length; y++) {
        for (int column = 0; column < columns.count.length; column++) {
          int start = rows.first[y] * width + columns.first[column];
          int at = find(x, start, rows.count[y], columns.count[column], maxima[o]);
          if (at >= 0) {
            sums[at] += heads[o];
          }
          o++;
        }
      }
    }

    /**
     * The first element of a window that equals its maximum; -1 where the window has none. Goes from the last tap to
     * the first, without a branch that depends on the elements: nothing could predict it.
     */
    private int find(float[] x, int start, int height, int count, float maximum) {
      boolean isNumber = !Float.isNaN(maximum);
      int found = -1;
      for (int row = height - 1; row >= 0; row--) {
        int from = start + row * rows.step * width;
        found = isNumber ? equal(x, from, count, maximum, found) : undefined(x, from, count, found);
      }
      return found;
    }

    private int equal(float[] x, int from, int count, float maximum, int before) {
      int found = before;
      for (int at = from + (count - 1) * columns.step; at >= from; at -= columns.step) {
        found = x[at] == maximum ? at : found;
      }
      return found;
    }

    private int undefined(float[] x, int from, int count, int before) {
      int found = before;
      for (int at = from + (count - 1) * columns.step; at >= from; at -= columns.step) {
        found = Float.isNaN(x[at]) ? at : found;
      }
      return found;
    }

    void average(int[] rowDivisors, int[] columnDivisors) {
      int o = 0;
      for (int y = 0; y < rows.count.length; y++) {
        for (int column = 0; column < columns.count.length; column++) {
          float share = heads[o] / ((float) rowDivisors[y] * columnDivisors[column]);
          int start = rows.first[y] * width + columns.first[column];
          spread(start, rows.count[y], columns.count[column], share);
          o++;
        }
      }
    }

    private void spread(int start, int height, int count, float share) {
      for (int row = 0; row < height; row++) {
        int from = start + row * rows.step * width;
        for (int tap = 0; tap < count; tap++) {
          sums[from + tap * columns.step] += share;
        }
      }
    }
  }
}
