package dev.cairn.runtime.report.dump;

import java.io.IOException;

/** The file is no memory dump, or breaks a rule of memory dumps. */
public final class InvalidDump extends IOException {
  private static final long serialVersionUID = 1L;

  InvalidDump(String message) {
    super(message);
  }

  InvalidDump(String message, Throwable cause) {
    super(message, cause);
  }
}
