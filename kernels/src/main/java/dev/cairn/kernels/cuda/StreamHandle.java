package dev.cairn.kernels.cuda;

import jcuda.driver.CUstream;

/** A stream of the driver with access to its address, for calls without JCuda. */
final class StreamHandle extends CUstream {
  long address() {
    return getNativePointer();
  }
}
