package dev.cairn.kernels.cuda;

/**
 * A call to the CUDA driver that did not do what it was asked. Its message is the error's name, the call, and the facts
 * that the caller knew. A kernel's own failure shows at a later call: at the latest when its stream is synchronised.
 */
public final class CudaFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  static final int ILLEGAL_STATE = 401;
  static final int NOT_FOUND = 500;

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

  /** The same failure with more facts, that only the caller knows. */
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

  /** Whether only memory was lacking: nothing has happened, and the call may succeed later. */
  public boolean isOutOfMemory() {
    return code == 2;
  }

  /**
   * Whether the context can do no more work: every later call on this device fails alike, and all that is left to do is
   * to close the device.
   */
  public boolean losesContext() {
    return losesContext(code);
  }

  /** The same of any result of the driver. */
  public static boolean losesContext(int code) {
    return switch (code) {
      // Driver shut down; ECC and NVLink errors; faults of a kernel: address, timeout, assertion, stack, instruction,
      // alignment, address space, program counter, any other; a context destroyed by somebody else.
      case 4, 214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719 -> true;
      default -> false;
    };
  }
}
