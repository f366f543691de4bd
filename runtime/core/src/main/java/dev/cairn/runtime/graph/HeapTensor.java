package dev.cairn.runtime.graph;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;

/** New small constants, in the Java heap: gone with the last graph that reads them. */
public final class HeapTensor {
  private HeapTensor() {}

  /** All zero; as aligned as any element type wants. */
  public static TensorView allocate(TensorType type) {
    long[] room = new long[Math.toIntExact(Math.ceilDiv(type.bytes(), Long.BYTES))];
    return new TensorView(type, MemorySegment.ofArray(room).asSlice(0, type.bytes()));
  }

  /** The same values. */
  public static TensorView copyOf(TensorView view) {
    TensorView copy = allocate(view.type());
    copy.segment().copyFrom(view.segment());
    return copy;
  }
}
