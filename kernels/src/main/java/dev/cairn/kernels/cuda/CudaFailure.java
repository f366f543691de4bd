package dev.cairn.kernels.cuda;

/**
 * A failed call to the CUDA driver. The message has the error's name, the call, and facts that the caller added. A
 * kernel that fails makes a later call fail: at the latest the synchronization of its stream.
 */
public final class CudaFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  static final int ILLEGAL_STATE = 401;
  static final int NOT_FOUND = 500;
  static final int PEER_ALREADY_ENABLED = 704;

  private final int code;
  private final String errorName;
  private final String call;

  CudaFailure(int code, String errorName, String call, String facts) {
    super("%s failed: error=%s code=%d%s".formatted(call, errorName, code, facts));
    this.code = code;
    this.errorName = errorName;
    this.call = call;
  }

  private CudaFailure(CudaFailure bare, String facts) {
    super(bare.getMessage() + " " + facts);
    this.code = bare.code;
    this.errorName = bare.errorName;
    this.call = bare.call;
  }

  /** The same failure with additional facts from the caller. */
  CudaFailure with(String facts) {
    CudaFailure failure = new CudaFailure(this, facts);
    failure.setStackTrace(getStackTrace());
    return failure;
  }

  /** The driver's number for the error, a {@code CUresult}. */
  public int code() {
    return code;
  }

  /** The driver's name for the error, {@code CUDA_ERROR_OUT_OF_MEMORY}. */
  public String errorName() {
    return errorName;
  }

  /** The driver's function that failed. */
  public String call() {
    return call;
  }

  /** Whether the call failed only for lack of memory. It had no effect, and may succeed later. */
  public boolean isOutOfMemory() {
    return code == 2;
  }

  /**
   * Whether the context is lost: every later call on this device fails in the same way, and the caller can only close
   * the device.
   */
  public boolean losesContext() {
    return losesContext(code);
  }

  /** Whether a result of the driver means that the context is lost. */
  public static boolean losesContext(int code) {
    return switch (code) {
      // Driver shut down; ECC and NVLink errors; faults of a kernel: address, timeout, assertion, stack, instruction,
      // alignment, address space, program counter, any other; a context that other code destroyed.
      case 4, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719 -> true;
      default -> false;
    };
  }
}
