package dev.cairn.kernels.cuda;

import jcuda.driver.CUdeviceptr;

/** A device address as JCuda takes and gives it. Lives as long as one call. */
public final class DevicePointer extends CUdeviceptr {
  private static final CUdeviceptr NULL = new CUdeviceptr();

  /** For a call to put an address into. */
  public DevicePointer() {}

  /** A pointer to {@code address}: JCuda adds an offset to a base, which is zero here. */
  public DevicePointer(long address) {
    super(NULL, address);
  }

  /** Where this points. */
  public long address() {
    return getNativePointer() + getByteOffset();
  }
}
