package dev.cairn.kernels.cpu;

import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.TensorView;
import java.util.function.LongToDoubleFunction;

/** Random tensors. Attribute {@code seed} decides all elements: each run draws the same. */
public final class CpuRandom {
  private static final long GRAIN = 1 << 10;
  private static final int BLOCK = 256;

  private CpuRandom() {}

  private static PhiloxGenerator generator(KernelCall call) {
    return new PhiloxGenerator(call.attributes().getFloat("seed", 0));
  }

  /** {@code RandomUniform}: all numbers from {@code low} to {@code high} are as likely. */
  public static void uniform(KernelCall call) {
    PhiloxGenerator generator = generator(call);
    double low = call.attributes().getFloat("low", 0);
    double span = call.attributes().getFloat("high", 1) - low;
    fill(call, i -> low + span * generator.uniform(i));
  }

  /** {@code RandomNormal}: normally distributed around {@code mean} with deviation {@code scale}. */
  public static void normal(KernelCall call) {
    PhiloxGenerator generator = generator(call);
    double mean = call.attributes().getFloat("mean", 0);
    double scale = call.attributes().getFloat("scale", 1);
    fill(call, i -> mean + scale * generator.normal(i));
  }

  /** {@code Bernoulli(p)}: 1 as often as each element says, else 0. */
  public static void bernoulli(KernelCall call) {
    PhiloxGenerator generator = generator(call);
    TensorView p = call.input(0);
    fill(call, i -> generator.uniform(i) < p.doubleAt(i) ? 1 : 0);
  }

  /** {@code Multinomial(x)}: numbers of classes, as likely as {@code e^x} in their row says. */
  public static void multinomial(KernelCall call) {
    PhiloxGenerator generator = generator(call);
    TensorView x = call.input(0);
    int classes = Math.toIntExact(x.shape().extent(1));
    long samples = call.output(0).shape().extent(1);
    double[][] sums = new double[Math.toIntExact(x.shape().extent(0))][classes];
    for (int row = 0; row < sums.length; row++) {
      Elements.read(x, (long) row * classes, sums[row], classes);
      accumulate(sums[row]);
    }
    fill(call, i -> pick(sums[(int) (i / samples)], generator.uniform(i)));
  }

  /** Replaces logarithms of likelihoods by the sums of likelihoods so far. */
  private static void accumulate(double[] row) {
    double most = Double.NEGATIVE_INFINITY;
    for (double x : row) {
      most = Math.max(most, x);
    }
    double sum = 0;
    for (int i = 0; i < row.length; i++) {
      sum += Math.exp(row[i] - most);
      row[i] = sum;
    }
  }

  private static int pick(double[] sums, double share) {
    int picked = 0;
    while (picked < sums.length - 1 && sums[picked] <= share * sums[sums.length - 1]) {
      picked++;
    }
    return picked;
  }

  private static void fill(KernelCall call, LongToDoubleFunction element) {
    TensorView y = call.output(0);
    CpuStream.of(call).parallel(y.elementCount(), GRAIN, (first, end) -> {
      for (long at = first; at < end; at += BLOCK) {
        int count = (int) Math.min(BLOCK, end - at);
        double[] block = new double[count];
        for (int i = 0; i < count; i++) {
          block[i] = element.applyAsDouble(at + i);
        }
        if (y.dtype().isFloat()) {
          Elements.write(block, y, at, count);
        } else {
          long[] whole = new long[count];
          for (int i = 0; i < count; i++) {
            whole[i] = (long) block[i];
          }
          Elements.write(whole, y, at, count);
        }
      }
    });
  }
}
