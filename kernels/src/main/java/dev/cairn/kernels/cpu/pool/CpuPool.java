package dev.cairn.kernels.cpu.pool;

import dev.cairn.kernels.attribute.PoolForm;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * {@code MaxPool}, {@code AveragePool}, {@code LpPool} and their global forms, over any number of spatial axes. A
 * maximum with a NaN is NaN. A window that lies wholly in padding has the least value of its type as maximum, index
 * -1, and the average 0.
 */
public final class CpuPool {
  /** {@code MaxPool(x)} with outputs {@code y, indices?}, for {@code float32, float64, int8, uint8}. */
  public static final Kernel MAX = CpuPool::max;
  /** {@code AveragePool(x)}, for {@code float32, float64}. */
  public static final Kernel AVERAGE = call -> average(call, Planes.of(call));
  /** {@code GlobalMaxPool(x)}, for {@code float32, float64}. */
  public static final Kernel GLOBAL_MAX = call -> global(call, Planes.of(call), false);
  /** {@code GlobalAveragePool(x)}, for {@code float32, float64}. */
  public static final Kernel GLOBAL_AVERAGE = call -> globalAverage(call, Planes.of(call));

  /** {@code LpPool(x)}, for {@code float32, float64}: the norm of each window, of order {@code p} (default 2). */
  public static final Kernel LP = CpuPool::norms;
  /** {@code GlobalLpPool(x)}, for {@code float32, float64}. */
  public static final Kernel GLOBAL_LP = CpuPool::globalNorms;

  private CpuPool() {}

  /** Reads the planes of channels, and writes their results. */
  public interface Planes {
    void read(long first, double[] plane);

    void write(double[] results, long first);

    /** Planes of real numbers. */
    static Planes of(KernelCall call) {
      return new Planes() {
        @Override
        public void read(long first, double[] plane) {
          Elements.read(call.input(0), first, plane, plane.length);
        }

        @Override
        public void write(double[] results, long first) {
          Elements.write(results, call.output(0), first, results.length);
        }
      };
    }
  }

  private static void max(KernelCall call) {
    Shape input = call.input(0).shape();
    var taps = new WindowTaps(SlidingWindow.ofPool(call.attributes(), input), input);
    DType dtype = call.input(0).dtype();
    boolean indexed = call.outputCount() > 1;
    long[] storage = indexed ? storage(input, PoolForm.of(call.attributes()).isColumnMajor()) : new long[0];
    CpuStream.of(call).parallel(input.elementCount(0, 2), 1, (first, end) -> {
      double[] plane = new double[Math.toIntExact(input.elementCount(2, input.rank()))];
      double[] best = new double[taps.outputs()];
      int[] where = new int[best.length];
      for (long channel = first; channel < end; channel++) {
        Elements.read(call.input(0), channel * plane.length, plane, plane.length);
        for (int o = 0; o < best.length; o++) {
          var largest = new Largest(plane, least(dtype));
          taps.forEachLine(o, largest);
          best[o] = largest.best;
          where[o] = largest.where;
        }
        write(best, call.output(0), channel * best.length);
        if (indexed) {
          writeIndices(call.output(1).segment(), channel, where, storage);
        }
      }
    });
  }

  private static void write(double[] values, TensorView output, long first) {
    if (output.dtype().isFloat()) {
      Elements.write(values, output, first, values.length);
    } else {
      long[] whole = new long[values.length];
      Arrays.setAll(whole, i -> (long) values[i]);
      Elements.write(whole, output, first, whole.length);
    }
  }

  private static double least(DType dtype) {
    return switch (dtype) {
      case INT8 -> Byte.MIN_VALUE;
      case UINT8 -> 0;
      default -> Double.NEGATIVE_INFINITY;
    };
  }

  /** The first of equal elements is taken, and the first NaN of all. */
  private static final class Largest implements WindowTaps.Line {
    private final double[] plane;
    private double best;
    private int where = -1;

    Largest(double[] plane, double least) {
      this.plane = plane;
      this.best = least;
    }

    @Override
    public void take(int from, int count, int step) {
      for (int tap = 0; tap < count; tap++) {
        double value = plane[from + tap * step];
        if (where < 0 || value > best || (Double.isNaN(value) && !Double.isNaN(best))) {
          best = value;
          where = from + tap * step;
        }
      }
    }
  }

  /** By ascending tap. */
  private static final class Sum implements WindowTaps.Line {
    private final double[] plane;
    private double sum;

    Sum(double[] plane) {
      this.plane = plane;
    }

    @Override
    public void take(int from, int count, int step) {
      for (int tap = 0; tap < count; tap++) {
        sum += plane[from + tap * step];
      }
    }
  }

  /**
   * By element of a plane in row-major order, its index; if {@code columnMajor}, the first spatial axis is innermost.
   */
  private static long[] storage(Shape input, boolean columnMajor) {
    long[] index = new long[Math.toIntExact(input.elementCount(2, input.rank()))];
    for (int i = 0; i < index.length; i++) {
      long rest = i;
      long step = index.length;
      for (int axis = input.rank() - 1; columnMajor && axis >= 2; axis--) {
        step /= input.extent(axis);
        index[i] += rest % input.extent(axis) * step;
        rest /= input.extent(axis);
      }
      index[i] = columnMajor ? index[i] : i;
    }
    return index;
  }

  private static void writeIndices(MemorySegment output, long channel, int[] where, long[] storage) {
    for (int o = 0; o < where.length; o++) {
      long index = where[o] < 0 ? -1 : channel * storage.length + storage[where[o]];
      output.set(ValueLayout.JAVA_LONG_UNALIGNED, (channel * where.length + o) * Long.BYTES, index);
    }
  }

  public static void average(KernelCall call, Planes planes) {
    Shape input = call.input(0).shape();
    SlidingWindow window = SlidingWindow.ofPool(call.attributes(), input);
    var taps = new WindowTaps(window, input);
    double[] divisors = divisors(window, input, PoolForm.of(call.attributes()).countsPadding());
    CpuStream.of(call).parallel(input.elementCount(0, 2), 1, (first, end) -> {
      double[] plane = new double[Math.toIntExact(input.elementCount(2, input.rank()))];
      double[] sums = new double[taps.outputs()];
      for (long channel = first; channel < end; channel++) {
        planes.read(channel * plane.length, plane);
        for (int o = 0; o < sums.length; o++) {
          var sum = new Sum(plane);
          taps.forEachLine(o, sum);
          sums[o] = divisors[o] == 0 ? 0 : sum.sum / divisors[o];
        }
        planes.write(sums, channel * sums.length);
      }
    });
  }

  /** For each window of a channel, what its sum is divided by; 0 where it lies wholly beyond the padding. */
  static double[] divisors(SlidingWindow window, Shape input, boolean includePadding) {
    int count = Math.toIntExact(window.outputShape(1, 1).elementCount());
    double[] divisors = new double[count];
    Arrays.fill(divisors, 1);
    int step = 1;
    for (int axis = window.rank() - 1; axis >= 0; axis--) {
      int outputs = window.outputExtent(axis);
      int extent = Math.toIntExact(input.extent(axis + 2));
      for (int o = 0; o < count; o++) {
        divisors[o] *= PoolWindow.counted(window, axis, o / step % outputs, extent, includePadding);
      }
      step *= outputs;
    }
    return divisors;
  }

  public static void globalAverage(KernelCall call, Planes planes) {
    global(call, planes, true);
  }

  private static void global(KernelCall call, Planes planes, boolean average) {
    Shape input = call.input(0).shape();
    CpuStream.of(call).parallel(input.elementCount(0, 2), 1, (first, end) -> {
      double[] plane = new double[Math.toIntExact(input.elementCount(2, input.rank()))];
      double[] result = new double[1];
      for (long channel = first; channel < end; channel++) {
        planes.read(channel * plane.length, plane);
        result[0] = average ? 0 : Double.NEGATIVE_INFINITY;
        for (double value : plane) {
          result[0] = average ? result[0] + value : Math.max(result[0], value);
        }
        result[0] = average ? result[0] / plane.length : result[0];
        planes.write(result, channel);
      }
    });
  }

  private static void norms(KernelCall call) {
    Shape input = call.input(0).shape();
    var taps = new WindowTaps(SlidingWindow.ofPool(call.attributes(), input), input);
    double order = PoolForm.of(call.attributes()).order();
    CpuStream.of(call).parallel(input.elementCount(0, 2), 1, (first, end) -> {
      double[] plane = new double[Math.toIntExact(input.elementCount(2, input.rank()))];
      double[] results = new double[taps.outputs()];
      for (long channel = first; channel < end; channel++) {
        readPowers(call.input(0), channel, plane, order);
        for (int o = 0; o < results.length; o++) {
          var sum = new Sum(plane);
          taps.forEachLine(o, sum);
          results[o] = Math.pow(sum.sum, 1 / order);
        }
        Elements.write(results, call.output(0), channel * results.length, results.length);
      }
    });
  }

  private static void readPowers(TensorView x, long channel, double[] plane, double order) {
    Elements.read(x, channel * plane.length, plane, plane.length);
    Arrays.setAll(plane, i -> Math.pow(Math.abs(plane[i]), order));
  }

  private static void globalNorms(KernelCall call) {
    Shape input = call.input(0).shape();
    double order = PoolForm.of(call.attributes()).order();
    CpuStream.of(call).parallel(input.elementCount(0, 2), 1, (first, end) -> {
      double[] plane = new double[Math.toIntExact(input.elementCount(2, input.rank()))];
      for (long channel = first; channel < end; channel++) {
        readPowers(call.input(0), channel, plane, order);
        Elements.write(new double[] {Math.pow(Arrays.stream(plane).sum(), 1 / order)}, call.output(0), channel, 1);
      }
    });
  }
}
