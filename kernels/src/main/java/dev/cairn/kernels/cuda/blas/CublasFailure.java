package dev.cairn.kernels.cuda.blas;

/** A failed call to cuBLAS. */
public final class CublasFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;

  CublasFailure(String call, int code, String status, String facts) {
    super("%s failed: status=%s code=%d %s".formatted(call, status, code, facts).strip());
    this.code = code;
  }

  /** cuBLAS's status code. */
  public int code() {
    return code;
  }
}
