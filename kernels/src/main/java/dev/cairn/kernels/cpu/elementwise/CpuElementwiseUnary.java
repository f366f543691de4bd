package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;

/**
 * Operators that map each element by itself. Float types are computed in {@code double} and rounded once; whole
 * numbers wrap.
 */
public final class CpuElementwiseUnary implements Kernel {
  private static final long GRAIN = 1 << 12;

  private final Function<Attributes, DoubleUnaryOperator> real;
  private final LongUnaryOperator whole;

  private CpuElementwiseUnary(Function<Attributes, DoubleUnaryOperator> real, LongUnaryOperator whole) {
    this.real = real;
    this.whole = whole;
  }

  /** A kernel for float types whose function depends on attributes. */
  public static Kernel withAttributes(Function<Attributes, DoubleUnaryOperator> real) {
    return new CpuElementwiseUnary(real, x -> {
      throw new IllegalArgumentException("no kernel for whole numbers");
    });
  }

  /** A kernel for float types. */
  public static Kernel ofReals(DoubleUnaryOperator real) {
    return withAttributes(attributes -> real);
  }

  /** A kernel for float types and whole numbers. */
  public static Kernel of(DoubleUnaryOperator real, LongUnaryOperator whole) {
    return new CpuElementwiseUnary(attributes -> real, whole);
  }

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    DoubleUnaryOperator chosen = real.apply(call.attributes());
    CpuStream.of(call).parallel(y.elementCount(), GRAIN, (first, end) -> {
      if (x.dtype().isFloat()) {
        mapReals(chosen, x, y, first, end);
      } else {
        mapWhole(whole, x, y, first, end);
      }
    });
  }

  private static void mapReals(DoubleUnaryOperator operator, TensorView x, TensorView y, long first, long end) {
    double[] block = new double[Elements.BLOCK];
    for (long at = first; at < end; at += block.length) {
      int count = (int) Math.min(block.length, end - at);
      Elements.read(x, at, block, count);
      for (int i = 0; i < count; i++) {
        block[i] = operator.applyAsDouble(block[i]);
      }
      Elements.write(block, y, at, count);
    }
  }

  private static void mapWhole(LongUnaryOperator operator, TensorView x, TensorView y, long first, long end) {
    long[] block = new long[Elements.BLOCK];
    for (long at = first; at < end; at += block.length) {
      int count = (int) Math.min(block.length, end - at);
      Elements.read(x, at, block, count);
      for (int i = 0; i < count; i++) {
        block[i] = operator.applyAsLong(block[i]);
      }
      Elements.write(block, y, at, count);
    }
  }
}
