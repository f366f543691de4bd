package dev.cairn.kernels.cpu.selection;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ScatterForm;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.reduction.Reduction;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** How scattered updates join the elements that are there: attribute {@code reduction}. For one thread. */
final class UpdateJoin {
  private final TensorView updates;
  private final TensorView target;
  private final @Nullable Reduction reduction;
  private final double[] reals = new double[Elements.BLOCK];
  private final double[] moreReals = new double[Elements.BLOCK];
  private final long[] whole = new long[Elements.BLOCK];
  private final long[] moreWhole = new long[Elements.BLOCK];

  UpdateJoin(Attributes attributes, TensorView updates, TensorView target) {
    this.updates = updates;
    this.target = target;
    String name = ScatterForm.of(attributes).reduction();
    this.reduction = switch (name) {
      case "none" -> null;
      case "add" -> Reduction.SUM;
      case "mul" -> Reduction.PROD;
      case "max" -> Reduction.MAX;
      case "min" -> Reduction.MIN;
      default -> throw new IllegalArgumentException("no such reduction: reduction=" + name);
    };
  }

  /** Neighbouring updates join neighbouring elements; positions are flat indexes. */
  void join(long from, long to, long count) {
    if (reduction == null) {
      long bytes = target.dtype().bytes();
      MemorySegment.copy(updates.segment(), from * bytes, target.segment(), to * bytes, count * bytes);
      return;
    }
    for (long done = 0; done < count; done += Elements.BLOCK) {
      int width = (int) Math.min(Elements.BLOCK, count - done);
      if (target.dtype().isFloat()) {
        joinReals(reduction, from + done, to + done, width);
      } else {
        joinWhole(reduction, from + done, to + done, width);
      }
    }
  }

  private void joinReals(Reduction by, long from, long to, int count) {
    Elements.read(target, to, reals, count);
    Elements.read(updates, from, moreReals, count);
    for (int i = 0; i < count; i++) {
      reals[i] = by.real().applyAsDouble(reals[i], moreReals[i]);
    }
    Elements.write(reals, target, to, count);
  }

  private void joinWhole(Reduction by, long from, long to, int count) {
    long flip = by.flip(target.dtype());
    Elements.read(target, to, whole, count);
    Elements.read(updates, from, moreWhole, count);
    for (int i = 0; i < count; i++) {
      whole[i] = by.whole().applyAsLong(whole[i] ^ flip, moreWhole[i] ^ flip) ^ flip;
    }
    Elements.write(whole, target, to, count);
  }
}
