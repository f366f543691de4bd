package dev.cairn.runtime.cli;

import java.util.Map;

/**
 * What the process was started with: the only place that reads the environment and system properties.
 *
 * @param terminal whether a person reads standard error as it comes
 * @param environment variables by name, for those who look for native libraries
 */
record RuntimeOptions(boolean terminal, Map<String, String> environment) {
  RuntimeOptions {
    environment = Map.copyOf(environment);
  }

  static RuntimeOptions ofProcess() {
    return new RuntimeOptions(Boolean.getBoolean("cairn.terminal"), System.getenv());
  }
}
