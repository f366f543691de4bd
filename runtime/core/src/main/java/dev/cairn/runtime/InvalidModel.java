package dev.cairn.runtime;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A model file cannot be read, or breaks the rules of its format. */
public final class InvalidModel extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final transient Path file;

  /** @param message what is wrong and where, then {@code key=value} facts */
  public InvalidModel(Path file, String message) {
    this(file, message, null);
  }

  public InvalidModel(Path file, String message, @Nullable Throwable cause) {
    super("%s: file=%s".formatted(message, file), cause);
    this.file = file;
  }

  public Path file() {
    return file;
  }
}
