package dev.cairn.runtime.ndarray.storage;

import dev.cairn.kernels.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Native memory for small constants, which the garbage collector reclaims page by page. Thread-safe. */
final class ConstantMemory {
  private static final long PAGE_BYTES = 64 << 10;
  private static final long ALIGNMENT = 64;

  private MemorySegment page = MemorySegment.NULL;
  private long used;

  /** A copy of the bytes. The result keeps its page alive. */
  MemorySegment copyOf(TensorView value) {
    MemorySegment copy = value.type().bytes() > PAGE_BYTES / 2
      ? Arena.ofAuto().allocate(value.type().bytes(), ALIGNMENT)
      : fromPage(value.type().bytes());
    return copy.copyFrom(value.segment());
  }

  private synchronized MemorySegment fromPage(long bytes) {
    if (used + bytes > page.byteSize()) {
      page = Arena.ofAuto().allocate(PAGE_BYTES, ALIGNMENT);
      used = 0;
    }
    MemorySegment slice = page.asSlice(used, bytes);
    used += (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    return slice;
  }
}
