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
  /** The one there is: it has no state. */
  INSTANCE;

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
    for (long channel = 0; channel < factors.elementCount(); channel++) {
      double factor = factors.doubleAt(channel);
      for (long i = channel * slice; i < (channel + 1) * slice; i++) {
        set(result, i, weight.doubleAt(i) * factor);
      }
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
