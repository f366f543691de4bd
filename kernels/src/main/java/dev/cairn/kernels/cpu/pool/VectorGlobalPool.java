package dev.cairn.kernels.cpu.pool;

import dev.cairn.kernels.catalog.Kernel;
import dev.cairn.kernels.catalog.KernelCall;
import dev.cairn.kernels.cpu.team.CpuStream;
import dev.cairn.kernels.cpu.vector.VectorRows;
import dev.cairn.kernels.tensor.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * {@code GlobalAveragePool} and {@code GlobalMaxPool} for {@code float32}.
 */
public final class VectorGlobalPool {
  /** {@code GlobalAveragePool(x)}. */
  public static final Kernel AVERAGE = call -> pool(call, true);
  /** {@code GlobalMaxPool(x)}. */
  public static final Kernel MAX = call -> pool(call, false);

  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
  private static final long GRAIN = 1 << 15;

  private VectorGlobalPool() {}

  private static void pool(KernelCall call, boolean averages) {
    Shape shape = call.input(0).shape();
    long count = shape.elementCount(2, shape.rank());
    MemorySegment input = call.input(0).segment();
    CpuStream.of(call).parallel(shape.elementCount(0, 2), Math.ceilDiv(GRAIN, count + 1), (first, end) -> {
      for (long channel = first; channel < end; channel++) {
        float result = averages
          ? VectorRows.mean(input, channel * count, count)
          : VectorRows.max(input, channel * count, count);
        call.output(0).segment().set(FLOAT, channel * Float.BYTES, result);
      }
    });
  }
}
