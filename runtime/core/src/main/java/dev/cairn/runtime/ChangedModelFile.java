package dev.cairn.runtime;

/**
 * A model's file was cut short after it was opened. Weights stay in the file, mapped, until they are first needed; a
 * copy of the file, or a new file that is renamed to the old name, leaves them alone.
 */
public final class ChangedModelFile extends RuntimeException {
  private static final long serialVersionUID = 1;

  private ChangedModelFile(InternalError cause) {
    super("the model's file was cut short after it was opened: open the model again", cause);
  }

  /** The JVM reports a page that is no longer in a mapped file as an {@link InternalError}; others are thrown on. */
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
