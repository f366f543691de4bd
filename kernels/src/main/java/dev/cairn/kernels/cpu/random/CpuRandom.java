package dev.cairn.kernels.cpu.random;

import dev.cairn.kernels.attribute.RandomForm;
import dev.cairn.kernels.attribute.RandomSeed;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;

/**
 * Random tensors. The last operand, if given, has a seed and the number of the first draw, to which attribute {@code
 * draw} is added. Without it attributes {@code seed} and {@code draw} decide all elements: each run draws the same.
 */
public final class CpuRandom {
  private static final long GRAIN = 1 << 10;
  private static final int BLOCK = 256;

  /** Computes elements {@code first} and following. */
  @FunctionalInterface
  private interface Draw {
    void fill(long first, double[] to, int count);
  }

  private CpuRandom() {}

  /** @param state the operand with seed and draw */
  static PhiloxGenerator generator(KernelCall call, int state) {
    long draw = RandomForm.of(call.attributes()).draw();
    if (!call.has(state)) {
      return new PhiloxGenerator(RandomSeed.of(call.attributes()), draw);
    }
    TensorView numbers = call.input(state);
    return new PhiloxGenerator(numbers.longAt(0), numbers.longAt(1) + draw);
  }

  /** {@code RandomUniform}: all numbers from {@code low} to {@code high} are as likely. */
  public static void uniform(KernelCall call) {
    uniform(call, 0);
  }

  /** {@code RandomUniformLike}. */
  public static void uniformLike(KernelCall call) {
    uniform(call, 1);
  }

  private static void uniform(KernelCall call, int state) {
    PhiloxGenerator generator = generator(call, state);
    double low = RandomForm.of(call.attributes()).low();
    double high = RandomForm.of(call.attributes()).high();
    DType dtype = call.output(0).dtype();
    fill(call, (first, to, count) -> {
      if (dtype == DType.FLOAT64) {
        generator.uniform53(first, to, count);
      } else {
        generator.uniform24(first, to, count);
      }
      for (int i = 0; i < count; i++) {
        to[i] = below(high, low + to[i] * (high - low), dtype);
      }
    });
  }

  /** The number as its type holds it, but never the end of the range; halves are rounded toward zero. */
  private static double below(double high, double number, DType dtype) {
    return switch (dtype) {
      case FLOAT64 -> number < high ? number : Math.max(Math.nextDown(high), -Double.MAX_VALUE);
      case FLOAT32 -> single(high, number);
      case FLOAT16 -> towardZero(single(high, number));
      default -> Float.intBitsToFloat(Float.floatToRawIntBits((float) single(high, number)) & 0xFFFF0000);
    };
  }

  private static double single(double high, double number) {
    float rounded = (float) number;
    return rounded < high ? rounded : Math.nextDown((float) high);
  }

  private static double towardZero(double number) {
    short half = Float.floatToFloat16((float) number);
    return Math.abs(Float.float16ToFloat(half)) > Math.abs(number)
      ? Float.float16ToFloat((short) (half - 1))
      : Float.float16ToFloat(half);
  }

  /** {@code RandomNormal}: normally distributed around {@code mean} with deviation {@code scale}. */
  public static void normal(KernelCall call) {
    normal(call, 0);
  }

  /** {@code RandomNormalLike}. */
  public static void normalLike(KernelCall call) {
    normal(call, 1);
  }

  private static void normal(KernelCall call, int state) {
    PhiloxGenerator generator = generator(call, state);
    double mean = RandomForm.of(call.attributes()).mean();
    double scale = RandomForm.of(call.attributes()).scale();
    fill(call, (first, to, count) -> {
      generator.normal(first, to, count);
      for (int i = 0; i < count; i++) {
        to[i] = mean + scale * to[i];
      }
    });
  }

  /** {@code Bernoulli(p)}: 1 with the probability in each element, else 0. Refuses numbers that are no probability. */
  public static void bernoulli(KernelCall call) {
    PhiloxGenerator generator = generator(call, 1);
    TensorView p = call.input(0);
    for (long i = 0; i < p.elementCount(); i++) {
      double each = p.doubleAt(i);
      if (!(each >= 0 && each <= 1)) {
        throw new IllegalArgumentException("not a probability from 0 to 1: element=%d value=%s".formatted(i, each));
      }
    }
    fill(call, (first, to, count) -> {
      generator.uniform24(first, to, count);
      for (int i = 0; i < count; i++) {
        to[i] = to[i] < p.doubleAt(first + i) ? 1 : 0;
      }
    });
  }

  /** {@code Multinomial(x)}: numbers of classes, as likely as {@code e^x} in their row says. */
  public static void multinomial(KernelCall call) {
    PhiloxGenerator generator = generator(call, 1);
    TensorView x = call.input(0);
    int classes = Math.toIntExact(x.shape().extent(1));
    long samples = call.output(0).shape().extent(1);
    double[][] sums = new double[Math.toIntExact(x.shape().extent(0))][classes];
    for (int row = 0; row < sums.length; row++) {
      Elements.read(x, (long) row * classes, sums[row], classes);
      accumulate(sums[row]);
    }
    fill(call, (first, to, count) -> {
      generator.uniform53(first, to, count);
      for (int i = 0; i < count; i++) {
        to[i] = pick(sums[(int) ((first + i) / samples)], to[i]);
      }
    });
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

  private static void fill(KernelCall call, Draw draw) {
    TensorView y = call.output(0);
    CpuStream.of(call).parallel(y.elementCount(), GRAIN, (first, end) -> {
      double[] block = new double[BLOCK];
      for (long at = first; at < end; at += BLOCK) {
        int count = (int) Math.min(BLOCK, end - at);
        draw.fill(at, block, count);
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
