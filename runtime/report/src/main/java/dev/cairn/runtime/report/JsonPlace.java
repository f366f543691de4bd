package dev.cairn.runtime.report;

import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;

/** Where in a JSON text something is wrong, for messages. Stateless. */
public final class JsonPlace {
  private JsonPlace() {}

  /** {@code line=2 column=17}; of what is too long or too deep the parser doesn't say where. */
  public static String of(JacksonException failure) {
    TokenStreamLocation location = failure.getLocation();
    return location == null
      ? "line=? column=?"
      : "line=%d column=%d".formatted(location.getLineNr(), location.getColumnNr());
  }
}
