package dev.cairn.kernels.cpu.reduction;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.LineNorm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.LinesAlong;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;

/** Operators that map each line along an axis (default the last), of float types, computed in {@code double}. */
public final class CpuLineFunction implements Kernel {
  /**
   * {@code Softmax(x)}: {@code e^(x - max) / sum of e^(x - max)}, which cannot overflow. Where a line holds a NaN or a
   * positive infinity, or nothing but negative ones, its results are NaN.
   */
  public static final Kernel SOFTMAX = new CpuLineFunction(attributes -> CpuLineFunction::normalize);
  /** {@code LogSoftmax(x)}: {@code x - max - log(sum of e^(x - max))}. */
  public static final Kernel LOG_SOFTMAX = new CpuLineFunction(attributes -> CpuLineFunction::logarithms);
  /** {@code Hardmax(x)}: 1 at the first of the greatest elements, or at the first NaN; 0 elsewhere. */
  public static final Kernel HARDMAX = new CpuLineFunction(attributes -> CpuLineFunction::markGreatest);
  /** {@code LpNormalization(x)}: elements divided by the line's norm; those of a norm of 0 stay 0. */
  public static final Kernel LP_NORMALIZATION = new CpuLineFunction(CpuLineFunction::byNorm);

  private static final long GRAIN = 1 << 11;

  private final Function<Attributes, Consumer<double[]>> function;

  private CpuLineFunction(Function<Attributes, Consumer<double[]>> function) {
    this.function = function;
  }

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    if (y.elementCount() == 0) {
      return;
    }
    Consumer<double[]> map = function.apply(call.attributes());
    var lines = LinesAlong.of(x.shape(), AxisForm.ofLines(call.attributes()).axis());
    CpuStream.of(call).parallel(lines.count(), lines.grain(GRAIN), (first, end) -> {
      double[] line = new double[Math.toIntExact(lines.extent())];
      for (long index = first; index < end; index++) {
        lines.read(x, index, line);
        map.accept(line);
        lines.write(line, y, index);
      }
    });
  }

  private static double greatest(double[] line) {
    double max = Double.NEGATIVE_INFINITY;
    for (double value : line) {
      max = Math.max(max, value);
    }
    return max;
  }

  public static void normalize(double[] line) {
    double max = greatest(line);
    double sum = 0;
    for (int i = 0; i < line.length; i++) {
      line[i] = Math.exp(line[i] - max);
      sum += line[i];
    }
    for (int i = 0; i < line.length; i++) {
      line[i] /= sum;
    }
  }

  public static void logarithms(double[] line) {
    double max = greatest(line);
    double sum = 0;
    for (double value : line) {
      sum += Math.exp(value - max);
    }
    double logarithm = Math.log(sum);
    for (int i = 0; i < line.length; i++) {
      line[i] = line[i] - max - logarithm;
    }
  }

  private static Consumer<double[]> byNorm(Attributes attributes) {
    boolean squares = LineNorm.of(attributes).squares();
    return line -> {
      double sum = 0;
      for (double value : line) {
        sum += squares ? value * value : Math.abs(value);
      }
      double norm = squares ? Math.sqrt(sum) : sum;
      for (int i = 0; i < line.length; i++) {
        line[i] = norm == 0 ? 0 : line[i] / norm;
      }
    };
  }

  private static void markGreatest(double[] line) {
    int best = 0;
    for (int i = 1; i < line.length; i++) {
      best = Double.compare(line[i] + 0.0, line[best] + 0.0) > 0 ? i : best;
    }
    Arrays.fill(line, 0);
    line[best] = 1;
  }
}
