package dev.cairn.runtime.compile;

import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * A tensor as kernels read it: they are compiled for one kind of segment, and stay fast as long as they see no other.
 */
public final class NativeView {
  private NativeView() {}

  /**
   * The tensor where it lies, if that is in native memory or a mapped file, and else a copy. The original must stay
   * reachable while the view is read.
   *
   * @param room where a copy is made
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
