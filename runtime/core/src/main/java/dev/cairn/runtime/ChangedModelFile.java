package dev.cairn.runtime;

/**
 * The model's file was truncated after it was opened. Cairn maps the file and reads weights when it first needs them.
 * To update a model safely, write a new file and rename it to the old name.
 */
public final class ChangedModelFile extends RuntimeException {
  private static final long serialVersionUID = 1;

  private ChangedModelFile(InternalError cause) {
    super("the model's file was truncated after it was opened: open the model again", cause);
  }

  /**
   * Translates the {@link InternalError} that the JVM throws for a missing page of a mapped file; rethrows other
   * errors.
   */
  static RuntimeException instead(Throwable error) {
    return switch (error) {
      case InternalError e when String.valueOf(e.getMessage()).contains("unsafe memory access") -> new ChangedModelFile(
        e);
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> throw new AssertionError(error);
    };
  }
}
