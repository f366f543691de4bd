package dev.cairn.allocator.trace;

import org.jspecify.annotations.Nullable;

/** A file is no trace of the format it was read as. The message says what is wrong, and where. */
public final class InvalidTrace extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Raised by readers. */
  public InvalidTrace(String message) {
    this(message, null);
  }

  /** Thrown by readers. */
  public InvalidTrace(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
