package dev.cairn.kernels.cuda.dnn;

/** A failed call to cuDNN. The message includes cuDNN's own, if there is one. */
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

  /** cuDNN's status code, a {@code cudnnStatus_t}. */
  public int code() {
    return code;
  }

  /** Whether cuDNN only does not support this call, 3000 to 3999. Other calls may succeed. */
  public boolean isUnsupported() {
    return code / 1000 == NOT_SUPPORTED;
  }
}
