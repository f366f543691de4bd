package dev.cairn.kernels.cpu.selection;

import static dev.cairn.kernels.cpu.vector.RegisterTile.LANES;
import static dev.cairn.kernels.cpu.vector.RegisterTile.SPECIES;

import dev.cairn.kernels.attribute.TopForm;
import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * {@code TopK} of {@code float32} along the last axis. A line is compared with the last of the elements chosen so far,
 * a vector at once; few elements come before that one.
 */
public final class VectorTopK implements Kernel {
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final long GRAIN = 1 << 14;

  @Override
  public boolean accepts(KernelSignature signature) {
    Shape shape = signature.input(0).shape();
    return shape.rank() > 0 && shape.axis(TopForm.of(signature.attributes()).axis()) == shape.rank() - 1
      && shape.extent(-1) <= Integer.MAX_VALUE && signature.output(0).shape().elementCount() > 0;
  }

  @Override
  public void run(KernelCall call) {
    Shape shape = call.input(0).shape();
    int extent = (int) shape.extent(-1);
    int count = (int) call.output(0).shape().extent(-1);
    boolean largest = TopForm.of(call.attributes()).largest();
    CpuStream.of(call).parallel(shape.elementCount() / extent, Math.max(1, GRAIN / extent), (first, end) -> {
      var best = new Best(call.input(0).segment(), largest, count);
      for (long line = first; line < end; line++) {
        write(call, best.of(line * extent, extent), line, extent);
      }
    });
  }

  private static void write(KernelCall call, long[] chosen, long line, long extent) {
    MemorySegment x = call.input(0).segment();
    MemorySegment values = call.output(0).segment();
    for (int i = 0; i < chosen.length; i++) {
      int place = (int) chosen[i];
      long to = line * chosen.length + i;
      values.set(FLOAT, to * Float.BYTES, x.get(FLOAT, (line * extent + place) * Float.BYTES));
      if (call.outputCount() > 1) {
        call.output(1).segment().set(LONG, to * Long.BYTES, place);
      }
    }
  }

  /** The best elements of a line: a heap of keys, the last in order on top. For one thread. */
  private static final class Best {
    private final MemorySegment x;
    private final boolean largest;
    /** The order of the element, then its place. */
    private final long[] keys;

    Best(MemorySegment x, boolean largest, int count) {
      this.x = x;
      this.largest = largest;
      this.keys = new long[count];
    }

    private long key(long start, int place) {
      // Adding 0 turns a negative zero into a positive one. All NaNs are equal and the greatest.
      int bits = Float.floatToIntBits(x.get(FLOAT, (start + place) * Float.BYTES) + 0f);
      int order = bits ^ ((bits >> 31) & Integer.MAX_VALUE);
      return (long) (largest ? ~order : order) << Integer.SIZE | place;
    }

    /** In rising order of the keys. */
    long[] of(long start, int extent) {
      for (int i = 0; i < keys.length; i++) {
        keys[i] = key(start, i);
      }
      Arrays.sort(keys);
      for (int i = 0, j = keys.length - 1; i < j; i++, j--) {
        long low = keys[i];
        keys[i] = keys[j];
        keys[j] = low;
      }
      int place = keys.length;
      while (place < extent) {
        place = next(start, place, extent, last(start));
        int end = Math.min(extent, place + LANES);
        for (; place < end; place++) {
          long key = key(start, place);
          if (key < keys[0]) {
            replaceTop(key);
          }
        }
      }
      Arrays.sort(keys);
      return keys;
    }

    private float last(long start) {
      return x.get(FLOAT, (start + (int) keys[0]) * Float.BYTES);
    }

    /** The first place from one on where a whole vector has an element that may come before the last chosen one. */
    private int next(long start, int from, int extent, float last) {
      int whole = extent - LANES;
      int place = from;
      for (; place <= whole; place += LANES) {
        FloatVector some = FloatVector.fromMemorySegment(SPECIES, x, (start + place) * Float.BYTES, ORDER);
        // Each comparison has a constant operator, as the compiler needs.
        boolean none = largest
          ? some.compare(VectorOperators.LE, last).allTrue()
          : some.compare(VectorOperators.GE, last).allTrue();
        if (!none) {
          break;
        }
      }
      return place;
    }

    private void replaceTop(long key) {
      int at = 0;
      while (2 * at + 1 < keys.length) {
        int child = 2 * at + 1;
        if (child + 1 < keys.length && keys[child + 1] > keys[child]) {
          child++;
        }
        if (keys[child] <= key) {
          break;
        }
        keys[at] = keys[child];
        at = child;
      }
      keys[at] = key;
    }
  }
}
