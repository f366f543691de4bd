package dev.cairn.runtime.graph;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;

/** Creates small constants in the Java heap; the garbage collector reclaims them. */
public final class HeapTensor {
  private HeapTensor() {}

  /** A tensor of zeros, aligned for any element type. */
  public static TensorView allocate(TensorType type) {
    long[] room = new long[Math.toIntExact(Math.ceilDiv(type.bytes(), Long.BYTES))];
    return new TensorView(type, MemorySegment.ofArray(room).asSlice(0, type.bytes()));
  }

  /** A copy of the values; strings, which never change, stay where they are. */
  public static TensorView copyOf(TensorView view) {
    if (view.dtype() == DType.STRING) {
      return view;
    }
    TensorView copy = allocate(view.type());
    copy.segment().copyFrom(view.segment());
    return copy;
  }
}
