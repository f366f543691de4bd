package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.InfinityForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.util.function.DoublePredicate;
import java.util.function.Function;

/** Operators that say of each element of a float type whether something holds, as booleans. */
public final class CpuElementwisePredicate implements Kernel {
  private static final long GRAIN = 1 << 12;

  private final Function<Attributes, DoublePredicate> predicate;

  public CpuElementwisePredicate(Function<Attributes, DoublePredicate> predicate) {
    this.predicate = predicate;
  }

  /** Attributes {@code detect_positive} and {@code detect_negative}, both 1 where left out. */
  public static DoublePredicate isInfinite(Attributes attributes) {
    InfinityForm form = InfinityForm.of(attributes);
    return x -> (form.positive() && x == Double.POSITIVE_INFINITY) || (form.negative()
      && x == Double.NEGATIVE_INFINITY);
  }

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    DoublePredicate holds = predicate.apply(call.attributes());
    CpuStream.of(call).parallel(y.elementCount(), GRAIN, (first, end) -> {
      double[] block = new double[Elements.BLOCK];
      long[] results = new long[Elements.BLOCK];
      for (long at = first; at < end; at += block.length) {
        int count = (int) Math.min(block.length, end - at);
        Elements.read(x, at, block, count);
        for (int i = 0; i < count; i++) {
          results[i] = holds.test(block[i]) ? 1 : 0;
        }
        Elements.write(results, y, at, count);
      }
    });
  }
}
