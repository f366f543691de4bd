package dev.cairn.kernels.cuda;

import jcuda.driver.CUstream;

/** A stream of the driver's whose address can be read, for calls past JCuda. */
final class StreamHandle extends CUstream {
  long address() {
    return getNativePointer();
  }
}
