package dev.cairn.kernels.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A range of page-locked host memory. Access to its segment after closing throws. */
public final class PinnedMemory extends CudaObject {
  private final long address;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment segment;

  private PinnedMemory(CudaContext context, long address, long bytes) {
    super(context);
    this.address = address;
    this.segment = MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
  }

  static PinnedMemory allocate(CudaContext context, long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("at least one byte: bytes=" + bytes);
    }
    PinnedMemory memory = new PinnedMemory(context, context.enter().allocatePinned(bytes), bytes);
    context.adopt(memory);
    return memory;
  }

  /** The memory as a segment. */
  public MemorySegment segment() {
    return segment;
  }

  @Override
  void destroy(CudaDriver driver) {
    if (arena.scope().isAlive()) {
      arena.close();
    }
    driver.freePinned(address);
  }
}
