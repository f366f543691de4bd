package dev.cairn.runtime.graph;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.Arena;

/** Creates tensors in native memory, which lasts as long as anything refers to it: weights and data. */
public final class NativeTensor {
  private static final long ALIGNMENT = 64;

  private NativeTensor() {}

  /** A tensor of zeros. */
  public static TensorView allocate(TensorType type) {
    return new TensorView(type, Arena.ofAuto().allocate(type.bytes(), ALIGNMENT));
  }

  /** A copy of the values. */
  public static TensorView copyOf(TensorView view) {
    TensorView copy = allocate(view.type());
    copy.segment().copyFrom(view.segment());
    return copy;
  }
}
