package dev.cairn.runtime.cli.option;

import java.util.Locale;

/** How results are written. */
public enum Format {
  TEXT,
  JSON;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
