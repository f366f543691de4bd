package dev.cairn.kernels.cpu.reduction;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.BlockLoop;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.util.Arrays;

/**
 * Reductions {@code (data, axes?)} over any axes, of any type. Float types are joined in {@code double} in the order
 * of memory and rounded once; whole numbers wrap. Reducing nothing gives 0, 1, NaN (a mean) or the end of the type's
 * range.
 */
public final class CpuReduce implements Kernel {
  private static final long GRAIN = 1 << 12;

  private final Reduction reduction;
  private final BlockLoop<BlockLoop.OfReals> real;
  private final BlockLoop<BlockLoop.OfWholes> whole;

  public CpuReduce(Reduction reduction) {
    this.reduction = reduction;
    this.real = BlockLoop.of(reduction.real());
    this.whole = BlockLoop.of(reduction.whole());
  }

  /** A tile is a block of neighbouring outputs if the innermost axis is kept; otherwise it is a single output. */
  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    if (y.elementCount() == 0) {
      return;
    }
    var axes = ReducedAxes.of(call);
    long inner = axes.innermost(false);
    long tilesAcross = Math.ceilDiv(inner, Elements.BLOCK);
    long work = Math.max(1, axes.reducedCount() * Math.min(inner, Elements.BLOCK));
    long tiles = axes.outerCount(false) * tilesAcross;
    CpuStream.of(call).parallel(tiles, Math.max(1, GRAIN / work), (first, end) -> {
      double[] block = new double[Elements.BLOCK];
      double[] results = new double[Elements.BLOCK];
      long[] wholeBlock = new long[Elements.BLOCK];
      long[] wholeResults = new long[Elements.BLOCK];
      for (long tile = first; tile < end; tile++) {
        long across = tile % tilesAcross * Elements.BLOCK;
        int width = (int) Math.min(Elements.BLOCK, inner - across);
        long source = axes.outerOffset(tile / tilesAcross, false) + across;
        long target = tile / tilesAcross * inner + across;
        if (y.dtype().isFloat()) {
          join(axes, x, source, block, results, width);
          Elements.write(results, y, target, width);
        } else {
          join(axes, x, source, wholeBlock, wholeResults, width);
          Elements.write(wholeResults, y, target, width);
        }
      }
    });
  }

  private void join(ReducedAxes axes, TensorView x, long source, double[] block, double[] results, int width) {
    long length = axes.innermost(true);
    BlockLoop.OfReals loop = real.get();
    Arrays.fill(results, 0, width, reduction.first());
    for (long outer = 0; outer < axes.outerCount(true); outer++) {
      long at = source + axes.outerOffset(outer, true);
      for (long done = 0; done < length; done += Elements.BLOCK) {
        int count = length == 1 ? width : (int) Math.min(Elements.BLOCK, length - done);
        Elements.read(x, at + done, block, count);
        if (length == 1) {
          loop.combine(results, block, count);
        } else {
          results[0] = loop.fold(results[0], block, count);
        }
      }
    }
    for (int i = 0; i < width; i++) {
      results[i] = reduction.finish(results[i], axes.reducedCount());
    }
  }

  private void join(ReducedAxes axes, TensorView x, long source, long[] block, long[] results, int width) {
    long length = axes.innermost(true);
    long flip = reduction.flip(x.dtype());
    BlockLoop.OfWholes loop = whole.get();
    Arrays.fill(results, 0, width, reduction.first(x.dtype()));
    for (long outer = 0; outer < axes.outerCount(true); outer++) {
      long at = source + axes.outerOffset(outer, true);
      for (long done = 0; done < length; done += Elements.BLOCK) {
        int count = length == 1 ? width : (int) Math.min(Elements.BLOCK, length - done);
        Elements.read(x, at + done, block, count);
        for (int i = 0; flip != 0 && i < count; i++) {
          block[i] ^= flip;
        }
        if (length == 1) {
          loop.combine(results, block, count);
        } else {
          results[0] = loop.fold(results[0], block, count);
        }
      }
    }
    for (int i = 0; i < width; i++) {
      results[i] = reduction.finish(results[i], axes.reducedCount()) ^ flip;
    }
  }
}
