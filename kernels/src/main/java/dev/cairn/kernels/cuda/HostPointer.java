package dev.cairn.kernels.cuda;

import jcuda.Pointer;

/** An address of native host memory in JCuda's form, for a single call. */
final class HostPointer extends Pointer {
  /** Creates a pointer that a call fills with an address. */
  HostPointer() {}

  HostPointer(long address) {
    super(address);
  }

  long address() {
    return getNativePointer() + getByteOffset();
  }
}
