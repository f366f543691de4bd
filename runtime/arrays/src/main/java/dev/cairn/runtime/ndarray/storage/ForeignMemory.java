package dev.cairn.runtime.ndarray.storage;

import dev.cairn.kernels.tensor.TensorType;
import java.lang.foreign.MemorySegment;

/** What memory of the caller must be like, so that operations can use it without a copy. */
final class ForeignMemory {
  /** Never started: operations run on threads of their own, and this one stands for them. */
  private static final Thread ANOTHER_THREAD = Thread.ofPlatform().unstarted(() -> {});

  private ForeignMemory() {}

  static void require(MemorySegment memory, TensorType type) {
    int alignment = type.dtype().isPacked() ? 1 : type.dtype().bytes();
    if (!memory.isNative() || memory.byteSize() != type.bytes() || memory.address() % alignment != 0) {
      throw new IllegalArgumentException("not native memory of this size and alignment: type=%s bytes=%d memory=%s"
        .formatted(type, type.bytes(), memory));
    }
    if (!memory.isAccessibleBy(ANOTHER_THREAD)) {
      throw new IllegalArgumentException("memory belongs to a thread: use Arena.ofShared or ofAuto: memory=" + memory);
    }
  }
}
