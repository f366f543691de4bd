package dev.cairn.kernels.cuda.compile;

/** NVRTC did not compile a source. The message ends with the compiler's log. */
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

  /** NVRTC's error code; 6 is an error in the source. */
  public int code() {
    return code;
  }

  /** The compiler's messages. */
  public String log() {
    return log;
  }
}
