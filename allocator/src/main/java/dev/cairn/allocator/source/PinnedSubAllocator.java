package dev.cairn.allocator.source;

import dev.cairn.allocator.MemorySpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;

/**
 * Page-locked memory of the host by {@code cuMemAllocHost}, between which and a device copies are asynchronous. It
 * cannot be swapped out, so it is costly. A region's segment ends with the release. Holds the primary context of the
 * device that it was asked of until it is closed; all devices may use it. Safe for use by many threads. The CUDA
 * libraries must be loaded.
 */
public final class PinnedSubAllocator extends CudaSource {

  private PinnedSubAllocator(PrimaryContext context, HeldRegions held) {
    super(context, held);
  }

  /** Memory that is locked by way of device {@code ordinal}. */
  public static PinnedSubAllocator of(int ordinal) {
    return of(ordinal, new HeldRegions());
  }

  static PinnedSubAllocator of(int ordinal, HeldRegions held) {
    return new PinnedSubAllocator(PrimaryContext.retain(ordinal), held);
  }

  @Override
  public MemorySpace space() {
    return MemorySpace.PINNED;
  }

  @Override
  public long maximumRegionBytes() {
    return NettySubAllocator.MAXIMUM_BYTES;
  }

  @Override
  public boolean supportsCoalescing() {
    return false;
  }

  @Override
  public @Nullable Region allocate(long bytes) {
    SubAllocator.requireMultiple(bytes, granularityBytes());
    if (bytes > NettySubAllocator.MAXIMUM_BYTES) {
      return null;
    }
    context.enter();
    HostPointer pointer = new HostPointer();
    int code = JCudaDriver.cuMemAllocHost(pointer, bytes);
    if (code == PrimaryContext.OUT_OF_MEMORY) {
      return null;
    }
    PrimaryContext.check(code, "cuMemAllocHost", "wantedBytes=" + bytes);
    boolean isHeld = false;
    try {
      long address = pointer.address();
      Arena arena = Arena.ofShared();
      MemorySegment segment = MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
      Region region = held.hold(new Region(address, bytes, segment), () -> free(arena, address));
      isHeld = true;
      return region;
    } finally {
      // The Java heap may be full: the memory would be lost.
      if (!isHeld) {
        JCudaDriver.cuMemFreeHost(pointer);
      }
    }
  }

  private void free(Arena arena, long address) {
    // A second try, after the driver refused, finds the segment ended already.
    if (arena.scope().isAlive()) {
      arena.close();
    }
    context.enter();
    PrimaryContext.giveBack(() -> JCudaDriver.cuMemFreeHost(new HostPointer(address)), "cuMemFreeHost",
      "address=0x%x".formatted(address));
  }

  private static final class HostPointer extends jcuda.Pointer {
    HostPointer() {}

    HostPointer(long address) {
      super(address);
    }

    long address() {
      return getNativePointer() + getByteOffset();
    }
  }
}
