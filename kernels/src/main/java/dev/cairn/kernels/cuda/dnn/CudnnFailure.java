package dev.cairn.kernels.cuda.dnn;

/** A call to cuDNN that did not do what it was asked. The message has cuDNN's own words, where it gives any. */
public final class CudnnFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int NOT_SUPPORTED = 3;

  private final String call;
  private final int code;

  CudnnFailure(String call, int code, String status, String facts) {
    super("%s failed: status=%s code=%d %s".formatted(call, status, code, facts).strip());
    this.call = call;
    this.code = code;
  }

  /** cuDNN's function that failed. */
  public String call() {
    return call;
  }

  /** cuDNN's number for the status, a {@code cudnnStatus_t}. */
  public int code() {
    return code;
  }

  /** Whether cuDNN only has nothing for such a call, 3000 to 3999: others may succeed. */
  public boolean isUnsupported() {
    return code / 1000 == NOT_SUPPORTED;
  }
}
