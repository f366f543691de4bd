package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.BlockLoop;
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

  private final Function<Attributes, BlockLoop.OfReal> real;
  private final BlockLoop<BlockLoop.OfWhole> whole;

  private CpuElementwiseUnary(Function<Attributes, BlockLoop.OfReal> real, LongUnaryOperator whole) {
    this.real = real;
    this.whole = BlockLoop.of(whole);
  }

  /** A kernel for float types whose function depends on attributes. */
  public static Kernel withAttributes(Function<Attributes, DoubleUnaryOperator> real) {
    return new CpuElementwiseUnary(attributes -> mapping(real.apply(attributes)), CpuElementwiseUnary::refuse);
  }

  private static long refuse(long x) {
    throw new IllegalArgumentException("no kernel for whole numbers");
  }

  /** The loop over a function that is made for a call. */
  private static BlockLoop.OfReal mapping(DoubleUnaryOperator function) {
    return (block, count) -> {
      for (int i = 0; i < count; i++) {
        block[i] = function.applyAsDouble(block[i]);
      }
    };
  }

  /** A kernel for float types. */
  public static Kernel ofReals(DoubleUnaryOperator real) {
    return of(real, CpuElementwiseUnary::refuse);
  }

  /** A kernel for float types and whole numbers. */
  public static Kernel of(DoubleUnaryOperator real, LongUnaryOperator whole) {
    var loop = BlockLoop.of(real);
    return new CpuElementwiseUnary(attributes -> loop.get(), whole);
  }

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    if (x.dtype().isFloat()) {
      BlockLoop.OfReal loop = real.apply(call.attributes());
      CpuStream.of(call).parallel(y.elementCount(), GRAIN, (first, end) -> mapReals(loop, x, y, first, end));
    } else {
      BlockLoop.OfWhole loop = whole.get();
      CpuStream.of(call).parallel(y.elementCount(), GRAIN, (first, end) -> mapWhole(loop, x, y, first, end));
    }
  }

  private static void mapReals(BlockLoop.OfReal loop, TensorView x, TensorView y, long first, long end) {
    double[] block = new double[Elements.BLOCK];
    for (long at = first; at < end; at += block.length) {
      int count = (int) Math.min(block.length, end - at);
      Elements.read(x, at, block, count);
      loop.map(block, count);
      Elements.write(block, y, at, count);
    }
  }

  private static void mapWhole(BlockLoop.OfWhole loop, TensorView x, TensorView y, long first, long end) {
    long[] block = new long[Elements.BLOCK];
    for (long at = first; at < end; at += block.length) {
      int count = (int) Math.min(block.length, end - at);
      Elements.read(x, at, block, count);
      loop.map(block, count);
      Elements.write(block, y, at, count);
    }
  }
}
