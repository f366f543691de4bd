package dev.cairn.allocator.source;

import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;

/** Physical memory of a device, mapped to reserved addresses. The context must be the calling thread's. */
final class CudaPages {
  private final long address;
  private final long bytes;
  private final long physical;
  private boolean mapped = true;

  private CudaPages(long address, long bytes, long physical) {
    this.address = address;
    this.bytes = bytes;
    this.physical = physical;
  }

  /** Lengths and addresses must be multiples of this number. */
  static long granularityBytes(int ordinal) {
    long[] granularity = new long[1];
    PrimaryContext.check(CudaAccess.granularity(ordinal, granularity), "cuMemGetAllocationGranularity", "device="
      + ordinal);
    return granularity[0];
  }

  /** Takes physical memory and maps it; null when the device has no more. A failure leaves nothing behind. */
  static @Nullable CudaPages map(int ordinal, long address, long bytes) {
    long[] created = new long[1];
    int code = CudaAccess.create(ordinal, bytes, created);
    if (code == PrimaryContext.OUT_OF_MEMORY) {
      return null;
    }
    PrimaryContext.check(code, "cuMemCreate", "wantedBytes=" + bytes);
    long physical = created[0];
    code = CudaAccess.map(address, bytes, physical);
    if (code != 0) {
      CudaAccess.release(physical);
      PrimaryContext.check(code, "cuMemMap", "address=0x%x bytes=%d".formatted(address, bytes));
    }
    code = CudaAccess.allow(ordinal, address, bytes);
    if (code != 0) {
      JCudaDriver.cuMemUnmap(new PrimaryContext.Pointer(address), bytes);
      CudaAccess.release(physical);
      PrimaryContext.check(code, "cuMemSetAccess", "address=0x%x bytes=%d".formatted(address, bytes));
    }
    return new CudaPages(address, bytes, physical);
  }

  /** Gives the memory back to the driver; may be called again when the driver refused. */
  void unmap() {
    if (mapped) {
      PrimaryContext.giveBack(() -> JCudaDriver.cuMemUnmap(new PrimaryContext.Pointer(address), bytes), "cuMemUnmap",
        "address=0x%x bytes=%d".formatted(address, bytes));
      mapped = false;
    }
    PrimaryContext.giveBack(() -> CudaAccess.release(physical), "cuMemRelease", "bytes=" + bytes);
  }
}
