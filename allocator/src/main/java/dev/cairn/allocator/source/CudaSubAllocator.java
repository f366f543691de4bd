package dev.cairn.allocator.source;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.MemorySpace;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;

/**
 * A device's memory by the driver's plain call, {@code cuMemAlloc}: regions lie where the driver puts them. Giving one
 * back waits for all work on the device, by the driver's rule. Holds the device's primary context until it is closed.
 * Safe for use by many threads. The CUDA libraries must be loaded.
 */
public final class CudaSubAllocator extends CudaSource {
  private CudaSubAllocator(PrimaryContext context, HeldRegions held) {
    super(context, held);
  }

  /** The memory of device {@code ordinal}, counted from 0. */
  public static CudaSubAllocator of(int ordinal) {
    return of(ordinal, new HeldRegions());
  }

  static CudaSubAllocator of(int ordinal, HeldRegions held) {
    return new CudaSubAllocator(PrimaryContext.retain(ordinal), held);
  }

  @Override
  public MemorySpace space() {
    return MemorySpace.device(context.ordinal());
  }

  @Override
  public long maximumRegionBytes() {
    return Alignment.down(context.memoryBytes(), granularityBytes());
  }

  @Override
  public boolean supportsCoalescing() {
    // No copy or kernel may reach from one of the driver's allocations into another.
    return false;
  }

  @Override
  public @Nullable Region allocate(long bytes) {
    SubAllocator.requireMultiple(bytes, granularityBytes());
    if (bytes > maximumRegionBytes()) {
      return null;
    }
    context.enter();
    PrimaryContext.Pointer pointer = new PrimaryContext.Pointer();
    int code = JCudaDriver.cuMemAlloc(pointer, bytes);
    if (code == PrimaryContext.OUT_OF_MEMORY) {
      return null;
    }
    PrimaryContext.check(code, "cuMemAlloc", "wantedBytes=" + bytes);
    boolean isHeld = false;
    try {
      long address = pointer.address();
      Region region = held.hold(Region.withoutHostAccess(address, bytes), () -> free(address));
      isHeld = true;
      return region;
    } finally {
      // The Java heap may be full: the memory would be lost.
      if (!isHeld) {
        JCudaDriver.cuMemFree(pointer);
      }
    }
  }

  private void free(long address) {
    context.enter();
    PrimaryContext.giveBack(() -> JCudaDriver.cuMemFree(new PrimaryContext.Pointer(address)), "cuMemFree",
      "address=0x%x".formatted(address));
  }
}
