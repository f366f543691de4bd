package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** New constants: native memory, 64-byte aligned, freed when nothing can reach it any more. */
final class NativeTensor {
  private static final long ALIGNMENT = 64;

  private NativeTensor() {}

  /** The same values in native memory; the view itself when it is there already. */
  static TensorView of(TensorView view) {
    if (view.segment().isNative()) {
      return view;
    }
    TensorView copy = allocate(view.type());
    copy.segment().copyFrom(view.segment());
    return copy;
  }

  /** All zero. */
  static TensorView allocate(TensorType type) {
    MemorySegment room = Arena.ofAuto().allocate(type.bytes(), ALIGNMENT);
    return new TensorView(type, room);
  }

  /** Writes an element of a {@code float32} or {@code float64} tensor, rounding to the nearest. */
  static void set(TensorView view, long index, double value) {
    switch (view.dtype()) {
      case FLOAT32 -> view.segment().setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) value);
      case FLOAT64 -> view.segment().setAtIndex(ValueLayout.JAVA_DOUBLE, index, value);
      default -> throw new IllegalArgumentException("neither float32 nor float64: dtype=" + view.dtype());
    }
  }
}
