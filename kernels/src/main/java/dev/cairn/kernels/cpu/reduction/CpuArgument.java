package dev.cairn.kernels.cpu.reduction;

import dev.cairn.kernels.attribute.ArgumentForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.Elements;
import dev.cairn.kernels.cpu.access.LinesAlong;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.OrderKeys;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;

/**
 * {@code ArgMax(x)} and {@code ArgMin(x)}: where along an axis (default 0) the extreme element is, as {@code int64}. Of
 * equal ones it is the first, or with {@code select_last_index} the last. A NaN is both the greatest and the least
 * element, as in NumPy.
 */
public final class CpuArgument implements Kernel {
  private static final long GRAIN = 1 << 12;

  private final boolean greatest;

  /** @param greatest whether the greatest element is looked for, or the least one */
  public CpuArgument(boolean greatest) {
    this.greatest = greatest;
  }

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView y = call.output(0);
    boolean last = ArgumentForm.of(call.attributes()).takesLast();
    var lines = LinesAlong.of(x.shape(), ArgumentForm.of(call.attributes()).axis());
    if (y.elementCount() == 0) {
      return;
    }
    boolean nansAreLeast = !greatest && x.dtype().isFloat();
    CpuStream.of(call).parallel(lines.count(), lines.grain(GRAIN), (first, end) -> {
      if (lines.inner() == 1) {
        long[] keys = new long[Math.toIntExact(lines.extent())];
        for (long line = first; line < end; line++) {
          lines.readKeys(x, line, keys);
          if (nansAreLeast) {
            putNansFirst(keys);
          }
          y.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, line * Long.BYTES, extreme(keys, last));
        }
        return;
      }
      long width = Math.min(Elements.BLOCK, lines.inner());
      long count;
      for (long line = first; line < end; line += count) {
        count = Math.min(width, Math.min(end - line, lines.inner() - line % lines.inner()));
        Elements.write(extremes(x, lines, line, (int) count, nansAreLeast, last), y, line, (int) count);
      }
    });
  }

  /** Makes the keys of NaNs, which are greater than those of all numbers, less than those of all numbers. */
  private static void putNansFirst(long[] keys) {
    for (int i = 0; i < keys.length; i++) {
      keys[i] = keys[i] == OrderKeys.NAN ? Long.MIN_VALUE : keys[i];
    }
  }

  private int extreme(long[] keys, boolean last) {
    int best = 0;
    for (int i = 1; i < keys.length; i++) {
      boolean beyond = greatest ? keys[i] > keys[best] : keys[i] < keys[best];
      best = beyond || (last && keys[i] == keys[best]) ? i : best;
    }
    return best;
  }

  /** Of so many lines beside each other. */
  private long[] extremes(TensorView x, LinesAlong lines, long line, int count, boolean nansAreLeast, boolean last) {
    long[] best = new long[count];
    long[] keys = new long[count];
    long[] places = new long[count];
    for (long place = 0; place < lines.extent(); place++) {
      Elements.readKeys(x, lines.at(line, place), keys, count);
      if (nansAreLeast) {
        putNansFirst(keys);
      }
      for (int i = 0; i < count; i++) {
        boolean beyond = greatest ? keys[i] > best[i] : keys[i] < best[i];
        boolean isBetter = place == 0 || beyond || (last && keys[i] == best[i]);
        best[i] = isBetter ? keys[i] : best[i];
        places[i] = isBetter ? place : places[i];
      }
    }
    return places;
  }
}
