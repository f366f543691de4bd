package dev.cairn.kernels.cpu;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
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

  private final DoubleBinaryOperator real;
  private final LongBinaryOperator whole;
  private final LongBinaryOperator unsigned64;

  private CpuElementwiseBinary(DoubleBinaryOperator real, LongBinaryOperator whole, LongBinaryOperator unsigned64) {
    this.real = real;
    this.whole = whole;
    this.unsigned64 = unsigned64;
  }

  /** For whole numbers, an operator that does the same to signed and unsigned ones of 64 bits. */
  public static Kernel of(DoubleBinaryOperator real, LongBinaryOperator whole) {
    return new CpuElementwiseBinary(real, whole, whole);
  }

  /** For whole numbers, one operator for signed ones and narrow unsigned ones, one for unsigned ones of 64 bits. */
  public static Kernel of(DoubleBinaryOperator real, LongBinaryOperator whole, LongBinaryOperator unsigned64) {
    return new CpuElementwiseBinary(real, whole, unsigned64);
  }

  /** Quotient of whole numbers, towards zero; 0 for a divisor of 0, as NumPy has it. */
  public static long divide(long a, long b) {
    return b == 0 ? 0 : a / b;
  }

  /** As {@link #divide}, of unsigned numbers. */
  public static long divideUnsigned(long a, long b) {
    return b == 0 ? 0 : Long.divideUnsigned(a, b);
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
    double[] result = new double[Elements.BLOCK];
    double[] other = new double[Elements.BLOCK];
    var runs = broadcast.runs(first, end);
    while (runs.next()) {
      for (long at = 0; at < runs.length(); at += result.length) {
        int count = (int) Math.min(result.length, runs.length() - at);
        Elements.read(operands[0], runs.offset(0) + at * broadcast.step(0), broadcast.step(0), result, count);
        for (int k = 1; k < operands.length; k++) {
          Elements.read(operands[k], runs.offset(k) + at * broadcast.step(k), broadcast.step(k), other, count);
          for (int i = 0; i < count; i++) {
            result[i] = real.applyAsDouble(result[i], other[i]);
          }
        }
        Elements.write(result, y, runs.output() + at, count);
      }
    }
  }

  private void combineWhole(Broadcast broadcast, TensorView[] operands, TensorView y, long first, long end) {
    LongBinaryOperator operator = y.dtype() == DType.UINT64 ? unsigned64 : whole;
    long[] result = new long[Elements.BLOCK];
    long[] other = new long[Elements.BLOCK];
    var runs = broadcast.runs(first, end);
    while (runs.next()) {
      for (long at = 0; at < runs.length(); at += result.length) {
        int count = (int) Math.min(result.length, runs.length() - at);
        Elements.read(operands[0], runs.offset(0) + at * broadcast.step(0), broadcast.step(0), result, count);
        for (int k = 1; k < operands.length; k++) {
          Elements.read(operands[k], runs.offset(k) + at * broadcast.step(k), broadcast.step(k), other, count);
          for (int i = 0; i < count; i++) {
            result[i] = operator.applyAsLong(result[i], other[i]);
          }
        }
        Elements.write(result, y, runs.output() + at, count);
      }
    }
  }
}
