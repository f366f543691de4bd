package dev.cairn.kernels.cuda;

import jcuda.Pointer;

/** An address of native host memory as JCuda takes and gives it. Lives as long as one call. */
final class HostPointer extends Pointer {
  /** For a call to put an address into. */
  HostPointer() {}

  HostPointer(long address) {
    super(address);
  }

  long address() {
    return getNativePointer() + getByteOffset();
  }
}
