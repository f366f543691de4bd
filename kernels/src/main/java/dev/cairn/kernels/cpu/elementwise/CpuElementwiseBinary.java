package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.BlockLoop;
import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * Operators that combine the elements of operands of one type, stretched to one shape as NumPy broadcasts; more than
 * two operands are combined from the left, and one alone is stretched. Float types are computed in {@code double} and
 * rounded once; whole numbers wrap.
 */
public final class CpuElementwiseBinary implements Kernel {
  private static final long GRAIN = 1 << 12;

  private final BlockLoop<BlockLoop.OfReals> real;
  private final BlockLoop<BlockLoop.OfWholes> whole;
  private final BlockLoop<BlockLoop.OfWholes> unsigned64;
  private final boolean mean;

  private CpuElementwiseBinary(DoubleBinaryOperator real, LongBinaryOperator whole, LongBinaryOperator unsigned64,
    boolean mean) {
    this.real = BlockLoop.of(real);
    this.whole = BlockLoop.of(whole);
    this.unsigned64 = BlockLoop.of(unsigned64);
    this.mean = mean;
  }

  /** For whole numbers, an operator that does the same to signed and unsigned ones of 64 bits. */
  public static Kernel of(DoubleBinaryOperator real, LongBinaryOperator whole) {
    return of(real, whole, whole);
  }

  /** For whole numbers, one operator for signed ones and narrow unsigned ones, one for unsigned ones of 64 bits. */
  public static Kernel of(DoubleBinaryOperator real, LongBinaryOperator whole, LongBinaryOperator unsigned64) {
    return new CpuElementwiseBinary(real, whole, unsigned64, false);
  }

  /** A kernel for whole numbers and booleans only. */
  public static Kernel ofWhole(LongBinaryOperator whole) {
    return of((a, b) -> {
      throw new IllegalArgumentException("no kernel for float types");
    }, whole);
  }

  /** The sum of float types divided by the number of operands. */
  public static Kernel mean() {
    return new CpuElementwiseBinary((a, b) -> a + b, (a, b) -> a + b, (a, b) -> a + b, true);
  }

  /** Quotient of whole numbers, towards zero; 0 for a divisor of 0, as NumPy has it. */
  public static long divide(long a, long b) {
    return b == 0 ? 0 : a / b;
  }

  /** Like {@link #divide}, of unsigned numbers. */
  public static long divideUnsigned(long a, long b) {
    return b == 0 ? 0 : Long.divideUnsigned(a, b);
  }

  /** The remainder whose sign is the divisor's; 0 for a divisor of 0. */
  public static long modulus(long a, long b) {
    return b == 0 ? 0 : Math.floorMod(a, b);
  }

  /** The remainder whose sign is the dividend's; 0 for a divisor of 0. */
  public static long remainder(long a, long b) {
    return b == 0 ? 0 : a % b;
  }

  /** Like {@link #remainder}, of unsigned numbers. */
  public static long remainderUnsigned(long a, long b) {
    return b == 0 ? 0 : Long.remainderUnsigned(a, b);
  }

  /** Unsigned numbers moved to higher bits; 0 when moved by 64 bits or more. */
  public static long shiftLeft(long a, long bits) {
    return Long.compareUnsigned(bits, Long.SIZE) < 0 ? a << bits : 0;
  }

  /** Like {@link #shiftLeft}, to lower bits. */
  public static long shiftRight(long a, long bits) {
    return Long.compareUnsigned(bits, Long.SIZE) < 0 ? a >>> bits : 0;
  }

  @Override
  public void run(KernelCall call) {
    TensorView y = call.output(0);
    var operands = new TensorView[call.inputCount()];
    var shapes = new Shape[operands.length];
    for (int k = 0; k < operands.length; k++) {
      operands[k] = call.input(k);
      shapes[k] = operands[k].shape();
    }
    var broadcast = Broadcast.of(y.shape(), shapes);
    CpuStream.of(call).parallel(y.elementCount(), GRAIN, (first, end) -> {
      if (y.dtype().isFloat()) {
        combineReals(broadcast, operands, y, first, end);
      } else {
        combineWhole(broadcast, operands, y, first, end);
      }
    });
  }

  private void combineReals(Broadcast broadcast, TensorView[] operands, TensorView y, long first, long end) {
    BlockLoop.OfReals loop = real.get();
    double[] result = new double[Elements.BLOCK];
    double[] other = new double[Elements.BLOCK];
    var runs = broadcast.runs(first, end);
    while (runs.next()) {
      for (long at = 0; at < runs.length(); at += result.length) {
        int count = (int) Math.min(result.length, runs.length() - at);
        Elements.read(operands[0], runs.offset(0) + at * broadcast.step(0), broadcast.step(0), result, count);
        for (int k = 1; k < operands.length; k++) {
          Elements.read(operands[k], runs.offset(k) + at * broadcast.step(k), broadcast.step(k), other, count);
          loop.combine(result, other, count);
        }
        for (int i = 0; mean && i < count; i++) {
          result[i] /= operands.length;
        }
        Elements.write(result, y, runs.output() + at, count);
      }
    }
  }

  private void combineWhole(Broadcast broadcast, TensorView[] operands, TensorView y, long first, long end) {
    BlockLoop.OfWholes loop = (y.dtype() == DType.UINT64 ? unsigned64 : whole).get();
    long[] result = new long[Elements.BLOCK];
    long[] other = new long[Elements.BLOCK];
    var runs = broadcast.runs(first, end);
    while (runs.next()) {
      for (long at = 0; at < runs.length(); at += result.length) {
        int count = (int) Math.min(result.length, runs.length() - at);
        Elements.read(operands[0], runs.offset(0) + at * broadcast.step(0), broadcast.step(0), result, count);
        for (int k = 1; k < operands.length; k++) {
          Elements.read(operands[k], runs.offset(k) + at * broadcast.step(k), broadcast.step(k), other, count);
          loop.combine(result, other, count);
        }
        Elements.write(result, y, runs.output() + at, count);
      }
    }
  }
}
