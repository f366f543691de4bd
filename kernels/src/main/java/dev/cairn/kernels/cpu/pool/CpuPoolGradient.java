package dev.cairn.kernels.cpu.pool;

import dev.cairn.kernels.attribute.PoolForm;
import dev.cairn.kernels.attribute.SlidingWindow;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * The gradients of pools over any number of spatial axes. Each window adds to the elements that it has read; windows
 * that overlap add in row-major order, in {@code double}. {@code h} is the gradient of the pool's result, and the
 * attributes are the pool's.
 */
public final class CpuPoolGradient {
  /**
   * {@code MaxPoolGradient(x, y, h)}, where {@code y} is {@code MaxPool(x)}: each window adds its {@code h} to its
   * first element, in row-major order, that equals its maximum; to its first NaN if it has any.
   */
  public static final Kernel MAX = CpuPoolGradient::max;
  /** {@code AveragePoolGradient(h)}: each window adds its {@code h}, divided as its sum was, to all of its elements. */
  public static final Kernel AVERAGE = CpuPoolGradient::average;

  private CpuPoolGradient() {}

  private static void max(KernelCall call) {
    Shape input = call.input(0).shape();
    var taps = new WindowTaps(SlidingWindow.ofPool(call.attributes(), input), input);
    CpuStream.of(call).parallel(input.elementCount(0, 2), 1, (first, end) -> {
      double[] plane = new double[Math.toIntExact(input.elementCount(2, input.rank()))];
      double[] maxima = new double[taps.outputs()];
      double[] heads = new double[taps.outputs()];
      double[] sums = new double[plane.length];
      var found = new FirstEqual(plane);
      for (long channel = first; channel < end; channel++) {
        Elements.read(call.input(0), channel * plane.length, plane, plane.length);
        Elements.read(call.input(1), channel * maxima.length, maxima, maxima.length);
        Elements.read(call.input(2), channel * heads.length, heads, heads.length);
        Arrays.fill(sums, 0);
        for (int o = 0; o < heads.length; o++) {
          found.look(maxima[o]);
          taps.forEachLine(o, found);
          if (found.where >= 0) {
            sums[found.where] += heads[o];
          }
        }
        Elements.write(sums, call.output(0), channel * sums.length, sums.length);
      }
    });
  }

  /** Finds the first tap that equals a value; NaN equals NaN. */
  private static final class FirstEqual implements WindowTaps.Line {
    private final double[] plane;
    private double value;
    private int where;

    FirstEqual(double[] plane) {
      this.plane = plane;
    }

    void look(double wanted) {
      value = wanted;
      where = -1;
    }

    @Override
    public void take(int from, int count, int step) {
      for (int tap = 0; where < 0 && tap < count; tap++) {
        double element = plane[from + tap * step];
        if (element == value || (Double.isNaN(element) && Double.isNaN(value))) {
          where = from + tap * step;
        }
      }
    }
  }

  private static void average(KernelCall call) {
    TensorView h = call.input(0);
    Shape input = call.output(0).shape();
    SlidingWindow window = SlidingWindow.ofPool(call.attributes(), input);
    var taps = new WindowTaps(window, input);
    double[] divisors = CpuPool.divisors(window, input, PoolForm.of(call.attributes()).countsPadding());
    CpuStream.of(call).parallel(input.elementCount(0, 2), 1, (first, end) -> {
      double[] heads = new double[taps.outputs()];
      double[] sums = new double[Math.toIntExact(input.elementCount(2, input.rank()))];
      var share = new Share(sums);
      for (long channel = first; channel < end; channel++) {
        Elements.read(h, channel * heads.length, heads, heads.length);
        Arrays.fill(sums, 0);
        for (int o = 0; o < heads.length; o++) {
          share.value = heads[o] / divisors[o];
          taps.forEachLine(o, share);
        }
        Elements.write(sums, call.output(0), channel * sums.length, sums.length);
      }
    });
  }

  /** Adds one value to all taps. */
  private static final class Share implements WindowTaps.Line {
    private final double[] sums;
    private double value;

    Share(double[] sums) {
      this.sums = sums;
    }

    @Override
    public void take(int from, int count, int step) {
      for (int tap = 0; tap < count; tap++) {
        sums[from + tap * step] += value;
      }
    }
  }
}
