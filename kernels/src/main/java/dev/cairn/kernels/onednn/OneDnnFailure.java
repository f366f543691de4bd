package dev.cairn.kernels.onednn;

/** A function of oneDNN failed. */
public final class OneDnnFailure extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final String[] NAMES = {"success", "out_of_memory", "invalid_arguments", "unimplemented",
    "last_impl_reached", "runtime_error", "not_required"};
  private static final int UNIMPLEMENTED = 3;

  private final int code;

  OneDnnFailure(String function, int code) {
    super("oneDNN failed: function=%s status=%d meaning=%s".formatted(function, code, code > 0 && code < NAMES.length
      ? NAMES[code]
      : "unknown"));
    this.code = code;
  }

  /** Whether oneDNN has no implementation of the requested primitive. */
  public boolean isUnimplemented() {
    return code == UNIMPLEMENTED;
  }
}
