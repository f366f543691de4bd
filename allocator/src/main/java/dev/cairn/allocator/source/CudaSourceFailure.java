package dev.cairn.allocator.source;

/**
 * The CUDA driver failed a source's call for another reason than too little memory: a lost context, a driver that shuts
 * down. The source is as it was before.
 */
public final class CudaSourceFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;
  private final String call;

  CudaSourceFailure(String call, int code, String errorName, String facts) {
    super("%s failed: error=%s code=%d %s".formatted(call, errorName, code, facts).strip());
    this.call = call;
    this.code = code;
  }

  /** The driver's number for the error, a {@code CUresult}. */
  public int code() {
    return code;
  }

  /** The driver's function that failed. */
  public String call() {
    return call;
  }
}
