package dev.cairn.runtime.compile;

import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * Converts tensors to native memory. The JIT compiles kernels for one kind of segment, and they are fast only if they
 * see no other.
 */
public final class NativeView {
  private NativeView() {}

  /**
   * The view itself, if it is in native memory or a mapped file; otherwise a copy. Keep the original reachable while
   * you read the result.
   *
   * @param room allocates the copy
   */
  public static TensorView of(TensorView view, SegmentAllocator room) {
    MemorySegment segment = view.segment();
    if (!segment.isNative()) {
      return new TensorView(view.type(), room.allocate(view.type().bytes(), 64).copyFrom(segment));
    }
    return segment.isMapped()
      ? new TensorView(view.type(), MemorySegment.ofAddress(segment.address()).reinterpret(segment.byteSize()))
      : view;
  }
}
