package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.BlockLoop;
import dev.cairn.kernels.cpu.access.Broadcast;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import java.util.function.IntPredicate;

/**
 * Compares elements of two operands of one type, stretched as NumPy broadcasts, into booleans. A NaN compares as
 * false with everything; the zeros are equal.
 */
public final class CpuElementwiseComparison implements Kernel {
  private static final long GRAIN = 1 << 12;

  private final BlockLoop<BlockLoop.OfSigns> signs;

  /** @param holds whether the result is true, for operands that compare as -1, 0 or 1 */
  public CpuElementwiseComparison(IntPredicate holds) {
    this.signs = BlockLoop.of(holds);
  }

  @Override
  public void run(KernelCall call) {
    TensorView a = call.input(0);
    TensorView b = call.input(1);
    TensorView y = call.output(0);
    var broadcast = Broadcast.of(y.shape(), a.shape(), b.shape());
    BlockLoop.OfSigns loop = signs.get();
    CpuStream.of(call).parallel(y.elementCount(), GRAIN, (first, end) -> {
      int most = (int) Math.min(Elements.BLOCK, end - first);
      var left = new Operand(a, most);
      var right = new Operand(b, most);
      long[] results = new long[most];
      var runs = broadcast.runs(first, end);
      while (runs.next()) {
        for (long at = 0; at < runs.length(); at += Elements.BLOCK) {
          int count = (int) Math.min(Elements.BLOCK, runs.length() - at);
          left.read(runs.offset(0) + at * broadcast.step(0), broadcast.step(0), count);
          right.read(runs.offset(1) + at * broadcast.step(1), broadcast.step(1), count);
          left.compare(loop, right, results, count);
          Elements.write(results, y, runs.output() + at, count);
        }
      }
    });
  }

  /** A block of one operand. */
  private static final class Operand {
    private final TensorView view;
    private final boolean real;
    private final boolean unsigned64;
    private final double[] reals;
    private final long[] whole;

    Operand(TensorView view, int most) {
      this.reals = new double[view.dtype().isFloat() ? most : 0];
      this.whole = new long[view.dtype().isFloat() ? 0 : most];
      this.view = view;
      this.real = view.dtype().isFloat();
      this.unsigned64 = view.dtype() == DType.UINT64;
    }

    void read(long first, long step, int count) {
      if (real) {
        Elements.read(view, first, step, reals, count);
        return;
      }
      Elements.read(view, first, step, whole, count);
      for (int i = 0; unsigned64 && i < count; i++) {
        whole[i] ^= Long.MIN_VALUE;
      }
    }

    void compare(BlockLoop.OfSigns loop, Operand that, long[] results, int count) {
      if (real) {
        loop.compare(reals, that.reals, results, count);
      } else {
        loop.compare(whole, that.whole, results, count);
      }
    }
  }
}
