package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongUnaryOperator;

/**
 * {@code Clip(x, min?, max?)} for all numeric types: bounds each element; a bound left out does not bound. Where
 * {@code min} is greater than {@code max}, every element becomes {@code max}. NaN stays NaN.
 */
public final class CpuElementwiseClip implements Kernel {
  @Override
  public void run(KernelCall call) {
    Kernel bounded = call.input(0).dtype().isFloat()
      ? CpuElementwiseUnary.ofReals(reals(call))
      : CpuElementwiseUnary.of(x -> x, whole(call));
    bounded.run(call);
  }

  private static DoubleUnaryOperator reals(KernelCall call) {
    double low = call.has(1) ? call.input(1).doubleAt(0) : Double.NEGATIVE_INFINITY;
    double high = call.has(2) ? call.input(2).doubleAt(0) : Double.POSITIVE_INFINITY;
    return x -> {
      double raised = x < low ? low : x;
      return raised > high ? high : raised;
    };
  }

  private static LongUnaryOperator whole(KernelCall call) {
    TensorView x = call.input(0);
    // Flipping the highest bit orders unsigned 64-bit numbers as signed ones are.
    long flip = x.dtype() == DType.UINT64 ? Long.MIN_VALUE : 0;
    long low = call.has(1) ? call.input(1).longAt(0) ^ flip : Long.MIN_VALUE;
    long high = call.has(2) ? call.input(2).longAt(0) ^ flip : Long.MAX_VALUE;
    return value -> Math.min(Math.max(value ^ flip, low), high) ^ flip;
  }
}
