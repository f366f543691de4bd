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
final class PrimaryContext implements AutoCloseable {
  static final int OUT_OF_MEMORY = 2;

  private static final CUdeviceptr NULL = new CUdeviceptr();

  private final CUdevice device = new CUdevice();
  private final CUcontext context = new CUcontext();
  private final int ordinal;
  private final long memoryBytes;
  private boolean closed;

  private PrimaryContext(int ordinal) {
    this.ordinal = ordinal;
    JCudaDriver.setExceptionsEnabled(false);
    check(JCudaDriver.cuInit(0), "cuInit", "");
    check(JCudaDriver.cuDeviceGet(device, ordinal), "cuDeviceGet", "device=" + ordinal);
    long[] bytes = new long[1];
    check(JCudaDriver.cuDeviceTotalMem(bytes, device), "cuDeviceTotalMem", "device=" + ordinal);
    this.memoryBytes = bytes[0];
    check(JCudaDriver.cuDevicePrimaryCtxRetain(context, device), "cuDevicePrimaryCtxRetain", "device=" + ordinal);
  }

  static PrimaryContext retain(int ordinal) {
    return new PrimaryContext(ordinal);
  }

  int ordinal() {
    return ordinal;
  }

  /** All memory of the device. */
  long memoryBytes() {
    return memoryBytes;
  }

  /** Makes this context the current one of the calling thread, which each of the driver's calls on memory needs. */
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
   * Makes a call that gives something back to the driver. In a lost context every call fails, and the context's memory
   * is lost with it. Then no failure is reported: else the source could not be closed, nor the context replaced.
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

  /** Whether a result means that the context is lost: the same codes as in {@code CudaFailure} of the kernels. */
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

  /** An address that a call returns or takes. JCuda adds an offset to a base of zero. */
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
