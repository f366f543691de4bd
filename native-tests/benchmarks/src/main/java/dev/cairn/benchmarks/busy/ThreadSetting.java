package dev.cairn.benchmarks.busy;

import java.util.Map;

/** How threads are set: what a user may choose. */
@SuppressWarnings("ImmutableEnumChecker") // the maps are never changed
enum ThreadSetting {
  DEFAULT(false, Map.of()),
  /** libgomp's own setting, as without Cairn: waiting threads spin for milliseconds, whatever else happens. */
  SPINNING(false, Map.of("GOMP_SPINCOUNT", "300000")),
  PASSIVE(false, Map.of("OMP_WAIT_POLICY", "passive")),
  ONE_THREAD(true, Map.of());

  private final boolean isAlone;
  private final Map<String, String> environment;

  ThreadSetting(boolean isAlone, Map<String, String> environment) {
    this.isAlone = isAlone;
    this.environment = environment;
  }

  int threads(int processors) {
    return isAlone ? 1 : processors;
  }

  void applyTo(Map<String, String> variables) {
    variables.keySet().removeIf(it -> it.startsWith("OMP_") || it.startsWith("GOMP_"));
    variables.putAll(environment);
  }
}
