package dev.cairn.allocator.source;

import static jcuda.driver.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_MINIMUM;
import static jcuda.driver.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED;
import static jcuda.driver.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE;

import jcuda.driver.CUmemAllocationProp;
import jcuda.driver.CUmemGenericAllocationHandle;
import jcuda.driver.CUmemLocation;
import jcuda.driver.JCudaDriver;
import org.jspecify.annotations.Nullable;

/** Physical memory of a device, mapped to reserved addresses. The context must be the calling thread's. */
final class CudaPages {
  private final long address;
  private final long bytes;
  private final CUmemGenericAllocationHandle physical;
  private boolean mapped = true;

  private CudaPages(long address, long bytes, CUmemGenericAllocationHandle physical) {
    this.address = address;
    this.bytes = bytes;
    this.physical = physical;
  }

  /** What lengths and addresses must be multiples of. */
  static long granularityBytes(int ordinal) {
    long[] granularity = new long[1];
    CudaGround.check(JCudaDriver.cuMemGetAllocationGranularity(granularity, onDevice(ordinal),
      CU_MEM_ALLOC_GRANULARITY_MINIMUM), "cuMemGetAllocationGranularity", "device=" + ordinal);
    return granularity[0];
  }

  /** Takes physical memory and maps it; null when the device has no more. A failure leaves nothing behind. */
  static @Nullable CudaPages map(int ordinal, long address, long bytes) {
    CUmemGenericAllocationHandle physical = new CUmemGenericAllocationHandle();
    int code = JCudaDriver.cuMemCreate(physical, bytes, onDevice(ordinal), 0);
    if (code == CudaGround.OUT_OF_MEMORY) {
      return null;
    }
    CudaGround.check(code, "cuMemCreate", "wantedBytes=" + bytes);
    code = JCudaDriver.cuMemMap(new CudaGround.Pointer(address), bytes, 0, physical, 0);
    if (code != 0) {
      JCudaDriver.cuMemRelease(physical);
      CudaGround.check(code, "cuMemMap", "address=0x%x bytes=%d".formatted(address, bytes));
    }
    code = CudaAccess.allow(ordinal, address, bytes);
    if (code != 0) {
      JCudaDriver.cuMemUnmap(new CudaGround.Pointer(address), bytes);
      JCudaDriver.cuMemRelease(physical);
      CudaGround.check(code, "cuMemSetAccess", "address=0x%x bytes=%d".formatted(address, bytes));
    }
    return new CudaPages(address, bytes, physical);
  }

  /** Gives the memory back to the driver; may be called again when the driver refused. */
  void unmap() {
    if (mapped) {
      CudaGround.giveBack(() -> JCudaDriver.cuMemUnmap(new CudaGround.Pointer(address), bytes), "cuMemUnmap",
        "address=0x%x bytes=%d".formatted(address, bytes));
      mapped = false;
    }
    CudaGround.giveBack(() -> JCudaDriver.cuMemRelease(physical), "cuMemRelease", "bytes=" + bytes);
  }

  private static CUmemAllocationProp onDevice(int ordinal) {
    CUmemAllocationProp properties = new CUmemAllocationProp();
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = new CUmemLocation();
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = ordinal;
    return properties;
  }
}
