package dev.cairn.allocator.source;

import dev.cairn.allocator.Alignment;
import dev.cairn.allocator.MemorySpace;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;

/**
 * A device's memory in one reserved range of virtual addresses: each region lies at the lowest free addresses, so that
 * a pool grows in one piece and chunks may lie across the borders of regions. Regions may share pages; a page that the
 * last of its regions leaves returns to the driver. Addresses cost nothing, so the range is longer than the memory:
 * gaps do no harm. Holds the device's primary context until it is closed. Safe for use by many threads. The CUDA
 * libraries must be loaded.
 */
public final class CudaVirtualSubAllocator extends CudaSource {
  private static final int ADDRESSES_PER_BYTE = 2;

  private final long firstAddress;
  private final long reservedBytes;
  private final AddressRange addresses;
  private final CudaPageTable table;
  private boolean unreserved;

  private CudaVirtualSubAllocator(PrimaryContext context) {
    super(context);
    context.enter();
    long pageBytes = CudaPages.granularityBytes(context.ordinal());
    this.table = new CudaPageTable(context.ordinal(), pageBytes);
    this.reservedBytes = Alignment.up(context.memoryBytes(), pageBytes) * ADDRESSES_PER_BYTE;
    PrimaryContext.Pointer pointer = new PrimaryContext.Pointer();
    PrimaryContext.check(JCudaDriver.cuMemAddressReserve(pointer, reservedBytes, 0, new PrimaryContext.Pointer(0), 0),
      "cuMemAddressReserve", "wantedBytes=" + reservedBytes);
    this.firstAddress = pointer.address();
    this.addresses = new AddressRange(firstAddress, reservedBytes);
  }

  /** The memory of device {@code ordinal}, counted from 0. */
  public static CudaVirtualSubAllocator of(int ordinal) {
    PrimaryContext context = PrimaryContext.retain(ordinal);
    try {
      return new CudaVirtualSubAllocator(context);
    } catch (RuntimeException e) {
      try {
        context.close();
      } catch (CudaSourceFailure second) {
        e.addSuppressed(second);
      }
      throw e;
    }
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
    return true;
  }

  @Override
  public synchronized @Nullable Region allocate(long bytes) {
    SubAllocator.requireMultiple(bytes, granularityBytes());
    if (bytes > maximumRegionBytes()) {
      return null;
    }
    context.enter();
    long address = addresses.take(bytes);
    if (address == AddressRange.NONE) {
      return null;
    }
    CudaPageTable.Mapping mapping = null;
    try {
      mapping = table.map(address, bytes);
    } finally {
      if (mapping == null) {
        addresses.giveBack(address, bytes);
      }
    }
    if (mapping == null) {
      return null;
    }
    CudaPageTable.Mapping mapped = mapping;
    boolean isHeld = false;
    try {
      Region region = held.hold(Region.withoutHostAccess(address, bytes), () -> {
        unmap(mapped);
        addresses.giveBack(address, bytes);
      });
      isHeld = true;
      return region;
    } finally {
      // The Java heap may be full: the memory would be lost.
      if (!isHeld) {
        mapped.unmap();
        addresses.giveBack(address, bytes);
      }
    }
  }

  private void unmap(CudaPageTable.Mapping mapping) {
    context.enter();
    // Unlike cuMemFree, unmapping does not wait for kernels that still use the memory.
    PrimaryContext.giveBack(JCudaDriver::cuCtxSynchronize, "cuCtxSynchronize", "");
    mapping.unmap();
  }

  @Override
  public synchronized void release(Region region) {
    super.release(region);
  }

  @Override
  public synchronized void close() {
    requireNothingHeld();
    if (!unreserved) {
      context.enter();
      table.unmapLeftOver();
      PrimaryContext.giveBack(() -> JCudaDriver.cuMemAddressFree(new PrimaryContext.Pointer(firstAddress),
        reservedBytes),
        "cuMemAddressFree", "address=0x%x".formatted(firstAddress));
      unreserved = true;
    }
    super.close();
  }
}
