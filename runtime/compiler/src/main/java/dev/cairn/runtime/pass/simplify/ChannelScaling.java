package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Computation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Each slice of a {@code float32} or {@code float64} tensor along its first axis times a factor of its own, a {@code
 * float64}; rounded once.
 */
enum ChannelScaling implements Computation {
  /** The single instance: it has no state. */
  INSTANCE;

  private static final int BLOCK = 4096;

  @Override
  public long workspaceBytes() {
    return 0;
  }

  @Override
  public OptionalInt inPlace(int output) {
    return OptionalInt.of(0);
  }

  @Override
  public void run(@Nullable TensorView[] inputs, TensorView[] outputs, MemorySegment workspace) {
    scale(Objects.requireNonNull(inputs[0], "weight"), Objects.requireNonNull(inputs[1], "factors"), outputs[0]);
  }

  static void scale(TensorView weight, TensorView factors, TensorView result) {
    long slice = weight.elementCount() / factors.elementCount();
    float[] block = new float[(int) Math.min(slice, BLOCK)];
    for (long channel = 0; channel < factors.elementCount(); channel++) {
      double factor = factors.doubleAt(channel);
      if (weight.dtype() == DType.FLOAT32) {
        scaleFloats(weight.segment(), result.segment(), channel * slice, slice, factor, block);
      } else {
        for (long i = channel * slice; i < (channel + 1) * slice; i++) {
          set(result, i, weight.doubleAt(i) * factor);
        }
      }
    }
  }

  /** Block by block in an array, which runs fast before it is compiled well. */
  private static void scaleFloats(MemorySegment from, MemorySegment to, long first, long count, double factor,
    float[] block) {
    for (long done = 0; done < count; done += block.length) {
      int some = (int) Math.min(block.length, count - done);
      long offset = (first + done) * Float.BYTES;
      MemorySegment.copy(from, ValueLayout.JAVA_FLOAT_UNALIGNED, offset, block, 0, some);
      for (int i = 0; i < some; i++) {
        block[i] = (float) (block[i] * factor);
      }
      MemorySegment.copy(block, 0, to, ValueLayout.JAVA_FLOAT_UNALIGNED, offset, some);
    }
  }

  /** Writes an element, rounding to the nearest. */
  static void set(TensorView view, long index, double value) {
    if (view.dtype() == DType.FLOAT32) {
      view.segment().setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) value);
    } else {
      view.segment().setAtIndex(ValueLayout.JAVA_DOUBLE, index, value);
    }
  }
}
