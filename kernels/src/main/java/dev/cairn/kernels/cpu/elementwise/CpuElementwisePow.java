package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;

/**
 * {@code Pow(base, exponent)}, in the base's type whatever the exponent's. Whole numbers to whole exponents are exact
 * until they wrap; to a negative one they give the quotient towards zero (0, or 1 and -1 of bases of size 1; 0 of a
 * base of 0). Whole numbers to real exponents are cut towards zero.
 */
public final class CpuElementwisePow implements Kernel {
  private static final long GRAIN = 1 << 12;

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView exponent = call.input(1);
    TensorView y = call.output(0);
    var broadcast = Broadcast.of(y.shape(), x.shape(), exponent.shape());
    boolean whole = !x.dtype().isFloat() && !exponent.dtype().isFloat();
    CpuStream.of(call).parallel(y.elementCount(), GRAIN, (first, end) -> {
      var runs = broadcast.runs(first, end);
      while (runs.next()) {
        for (long at = 0; at < runs.length(); at += Elements.BLOCK) {
          int count = (int) Math.min(Elements.BLOCK, runs.length() - at);
          long xAt = runs.offset(0) + at * broadcast.step(0);
          long eAt = runs.offset(1) + at * broadcast.step(1);
          if (whole) {
            long[] block = longs(x, xAt, broadcast.step(0), count);
            power(block, longs(exponent, eAt, broadcast.step(1), count));
            Elements.write(block, y, runs.output() + at, count);
          } else {
            double[] block = doubles(x, xAt, broadcast.step(0), count);
            power(block, doubles(exponent, eAt, broadcast.step(1), count));
            write(block, y, runs.output() + at, count);
          }
        }
      }
    });
  }

  private static double[] doubles(TensorView from, long first, long step, int count) {
    double[] block = new double[count];
    Elements.read(from, first, step, block, count);
    return block;
  }

  private static long[] longs(TensorView from, long first, long step, int count) {
    long[] block = new long[count];
    Elements.read(from, first, step, block, count);
    return block;
  }

  private static void power(double[] bases, double[] exponents) {
    for (int i = 0; i < bases.length; i++) {
      bases[i] = Math.pow(bases[i], exponents[i]);
    }
  }

  private static void power(long[] bases, long[] exponents) {
    for (int i = 0; i < bases.length; i++) {
      bases[i] = power(bases[i], exponents[i]);
    }
  }

  private static long power(long base, long exponent) {
    if (exponent < 0) {
      return base == 1 ? 1 : base == -1 ? 1 - 2 * (exponent & 1) : 0;
    }
    long result = 1;
    long square = base;
    for (long rest = exponent; rest != 0; rest >>>= 1) {
      result = (rest & 1) == 0 ? result : result * square;
      square *= square;
    }
    return result;
  }

  private static void write(double[] from, TensorView to, long first, int count) {
    if (to.dtype().isFloat()) {
      Elements.write(from, to, first, count);
      return;
    }
    long[] cut = new long[count];
    for (int i = 0; i < count; i++) {
      cut[i] = (long) from[i];
    }
    Elements.write(cut, to, first, count);
  }
}
