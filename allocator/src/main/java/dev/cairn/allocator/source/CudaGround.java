package dev.cairn.allocator.source;

import java.util.function.IntSupplier;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/**
 * The primary context of a device, retained for a source, and the check of every result. The driver's library and
 * JCuda's must be loaded. Safe for use by many threads.
 */
final class CudaGround implements AutoCloseable {
  static final int OUT_OF_MEMORY = 2;

  private static final CUdeviceptr NULL = new CUdeviceptr();

  private final CUdevice device = new CUdevice();
  private final CUcontext context = new CUcontext();
  private final int ordinal;
  private final long memoryBytes;
  private boolean closed;

  private CudaGround(int ordinal) {
    this.ordinal = ordinal;
    JCudaDriver.setExceptionsEnabled(false);
    check(JCudaDriver.cuInit(0), "cuInit", "");
    check(JCudaDriver.cuDeviceGet(device, ordinal), "cuDeviceGet", "device=" + ordinal);
    long[] bytes = new long[1];
    check(JCudaDriver.cuDeviceTotalMem(bytes, device), "cuDeviceTotalMem", "device=" + ordinal);
    this.memoryBytes = bytes[0];
    check(JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "cuDevicePrimaryCtxRetain", "device=" + ordinal);
  }

  static CudaGround retain(int ordinal) {
    return new CudaGround(ordinal);
  }

  int ordinal() {
    return ordinal;
  }

  /** All memory of the device. */
  long memoryBytes() {
    return memoryBytes;
  }

  /** Makes the context the calling thread's, as each of the driver's calls on memory needs it. */
  synchronized void enter() {
    if (closed) {
      throw new IllegalStateException("source is closed: device=" + ordinal);
    }
    check(JCudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent", "device=" + ordinal);
  }

  /** Releases the context, once. */
  @Override
  public synchronized void close() {
    if (!closed) {
      try {
        release();
      } catch (RuntimeException e) {
        // Otherwise the context would stay, with everything in it.
        release();
      }
      closed = true;
    }
  }

  private void release() {
    giveBack(() -> JCudaDriver.cuDevicePrimaryCtxRelease(device), "cuDevicePrimaryCtxRelease", "device=" + ordinal);
  }

  /**
   * Makes a call that gives something back to the driver. In a lost context every call fails, and its memory is lost
   * with it: then no failure is reported: otherwise the source could never be closed and the context never be replaced.
   */
  static void giveBack(IntSupplier call, String name, String facts) {
    int code = call.getAsInt();
    if (losesContext(code)) {
      // A second try: the first one may have reported an earlier, unrelated fault.
      code = call.getAsInt();
    }
    if (!losesContext(code)) {
      check(code, name, facts);
    }
  }

  /** The same codes as those of the kernels' driver layer, which this module does not see. */
  static boolean losesContext(int code) {
    return switch (code) {
      // Driver shut down; ECC and NVLink errors; a context that other code destroyed; faults of kernels.
      case 4, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719 -> true;
      default -> false;
    };
  }

  static void check(int code, String call, String facts) {
    if (code != 0) {
      throw new CudaSourceFailure(call, code, CUresult.stringFor(code), facts);
    }
  }

  /** Memory for the address that a call returns, or takes. JCuda adds an offset to a base of zero. */
  static final class Pointer extends CUdeviceptr {
    Pointer() {}

    Pointer(long address) {
      super(NULL, address);
    }

    long address() {
      return getNativePointer() + getByteOffset();
    }
  }
}
