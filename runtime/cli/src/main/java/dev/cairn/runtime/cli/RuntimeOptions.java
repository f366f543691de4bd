package dev.cairn.runtime.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the process was started with: the only place that reads the environment and system properties.
 *
 * @param terminal whether a person reads standard error as it comes
 * @param colour whether colours are welcome there ({@code NO_COLOR} is not set)
 * @param errorStream a file that leads to the terminal, when the launcher gives one; else standard error is used as it
 *   is
 * @param environment variables by name, for those who look for native libraries
 */
record RuntimeOptions(boolean terminal, boolean colour, @Nullable String errorStream,
  Map<String, String> environment) {
  RuntimeOptions {
    environment = Map.copyOf(environment);
  }

  static RuntimeOptions ofProcess() {
    boolean terminal = Boolean.getBoolean("cairn.terminal");
    return new RuntimeOptions(terminal, terminal && System.getenv("NO_COLOR") == null,
      System.getProperty("cairn.stderr"), System.getenv());
  }
}
