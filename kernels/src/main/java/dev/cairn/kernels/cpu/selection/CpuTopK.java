package dev.cairn.kernels.cpu.selection;

import dev.cairn.kernels.attribute.TopForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.access.LinesAlong;
import dev.cairn.kernels.cpu.access.UnitLoop;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.ValueLayout;

/**
 * {@code TopK(x, k)} with outputs values, indices: the greatest elements of each line along {@code axis} (default the
 * last), or with {@code largest} 0 the least ones, in their order; of equal ones the first. A NaN is greater than every
 * number.
 */
public final class CpuTopK implements Kernel {
  private static final long GRAIN = 1 << 11;

  @Override
  public void run(KernelCall call) {
    TensorView x = call.input(0);
    TensorView values = call.output(0);
    if (values.elementCount() == 0) {
      return;
    }
    long axis = TopForm.of(call.attributes()).axis();
    boolean largest = TopForm.of(call.attributes()).largest();
    var lines = LinesAlong.of(x.shape(), axis);
    var results = LinesAlong.of(values.shape(), axis);
    var units = new UnitLoop(x.segment(), values.segment(), x.dtype().bytes());
    CpuStream.of(call).parallel(lines.count(), lines.grain(GRAIN), (first, end) -> {
      long[] keys = new long[Math.toIntExact(lines.extent())];
      var heap = new Heap(keys, (int) results.extent());
      for (long line = first; line < end; line++) {
        lines.readKeys(x, line, keys);
        for (int i = 0; largest && i < keys.length; i++) {
          keys[i] = ~keys[i];
        }
        int[] chosen = heap.least();
        for (int i = 0; i < chosen.length; i++) {
          long to = results.at(line, i);
          units.one(lines.at(line, chosen[i]) * units.unit(), to * units.unit());
          if (call.outputCount() > 1) {
            call.output(1).segment().set(ValueLayout.JAVA_LONG_UNALIGNED, to * Long.BYTES, chosen[i]);
          }
        }
      }
    });
  }

  /** The places of the least keys, of which the last is on top. */
  private static final class Heap {
    private final long[] keys;
    private final int[] places;

    Heap(long[] keys, int size) {
      this.keys = keys;
      this.places = new int[size];
    }

    /** In rising order; for equal keys the lower place first. */
    int[] least() {
      for (int i = 0; i < places.length; i++) {
        places[i] = i;
      }
      for (int i = places.length / 2 - 1; i >= 0; i--) {
        sink(i, places.length);
      }
      for (int place = places.length; place < keys.length; place++) {
        if (keys[place] < keys[places[0]]) {
          places[0] = place;
          sink(0, places.length);
        }
      }
      for (int size = places.length - 1; size > 0; size--) {
        int top = places[0];
        places[0] = places[size];
        places[size] = top;
        sink(0, size);
      }
      return places;
    }

    private void sink(int from, int size) {
      int at = from;
      int moved = places[from];
      while (2 * at + 1 < size) {
        int child = 2 * at + 1;
        if (child + 1 < size && isAfter(places[child + 1], places[child])) {
          child++;
        }
        if (!isAfter(places[child], moved)) {
          break;
        }
        places[at] = places[child];
        at = child;
      }
      places[at] = moved;
    }

    private boolean isAfter(int a, int b) {
      return keys[a] > keys[b] || (keys[a] == keys[b] && a > b);
    }
  }
}
