package dev.cairn.runtime.session;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A model cannot be read, or breaks the rules of its format. */
public final class InvalidModel extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final transient @Nullable Path file;

  /** @param message what is wrong and where, then {@code key=value} facts */
  public InvalidModel(ModelSource source, String message) {
    this(source, message, null);
  }

  public InvalidModel(ModelSource source, String message, @Nullable Throwable cause) {
    super("%s: file=%s".formatted(message, source.name()), cause);
    this.file = source.file().orElse(null);
  }

  /** The model's file, if it came from one. */
  public Optional<Path> file() {
    return Optional.ofNullable(file);
  }
}
