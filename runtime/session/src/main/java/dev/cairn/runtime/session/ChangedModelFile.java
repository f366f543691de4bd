package dev.cairn.runtime.session;

import dev.cairn.runtime.executor.StepFailed;

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
   * Translates the {@link InternalError} that the JVM throws for a missing page of a mapped file, also where a step
   * failed with it; rethrows other errors.
   */
  static RuntimeException instead(Throwable error) {
    return switch (error) {
      case StepFailed e when e.getCause() instanceof InternalError missing && isMissingPage(missing) ->
        new ChangedModelFile(missing);
      case InternalError e when isMissingPage(e) -> new ChangedModelFile(e);
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> throw new AssertionError(error);
    };
  }

  private static boolean isMissingPage(InternalError error) {
    return String.valueOf(error.getMessage()).contains("unsafe memory access");
  }
}
