package dev.cairn.kernels.cuda;

import jcuda.driver.CUdeviceptr;

/** A device address in JCuda's form, for a single call. */
public final class DevicePointer extends CUdeviceptr {
  private static final CUdeviceptr NULL = new CUdeviceptr();

  /** Creates a pointer that a call fills with an address. */
  public DevicePointer() {}

  /** Creates a pointer to {@code address}. JCuda adds an offset to a base, which is zero here. */
  public DevicePointer(long address) {
    super(NULL, address);
  }

  /** The address. */
  public long address() {
    return getNativePointer() + getByteOffset();
  }
}
