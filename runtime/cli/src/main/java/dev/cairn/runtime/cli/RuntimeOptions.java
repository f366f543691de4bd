package dev.cairn.runtime.cli;

import org.jspecify.annotations.Nullable;

/**
 * What the process was started with: the only place that reads the environment and system properties.
 *
 * @param terminal whether a person reads standard error as it comes
 * @param colour whether colours are welcome there ({@code NO_COLOR} is not set)
 * @param errorStream a file that leads to the terminal, when the launcher gives one; else standard error is used as it
 *   is
 */
record RuntimeOptions(boolean terminal, boolean colour, @Nullable String errorStream) {

  static RuntimeOptions ofProcess() {
    boolean terminal = Boolean.getBoolean("cairn.terminal");
    return new RuntimeOptions(terminal, terminal && System.getenv("NO_COLOR") == null,
      System.getProperty("cairn.stderr"));
  }
}
