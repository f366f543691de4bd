package dev.cairn.kernels.cuda.compile;

/** A source that NVRTC did not compile; its message ends with the compiler's log. */
public final class CompileFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;
  private final String log;

  CompileFailure(String call, int code, String error, CudaProgram source, String log) {
    super("%s failed: error=%s code=%d source=%s%s".formatted(call, error, code, source.name(),
      log.isBlank() ? "" : "\n" + log.strip()));
    this.code = code;
    this.log = log;
  }

  /** NVRTC's number for the error; 6 is a fault in the source. */
  public int code() {
    return code;
  }

  /** What the compiler said. */
  public String log() {
    return log;
  }
}
