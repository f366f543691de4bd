package dev.cairn.runtime.compile;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Whether results may wait in the host's memory when a model needs more of a GPU's memory than it may take. */
public enum OffloadChoice {
  /** Results may wait there where this takes less time than to run steps again. Both may be combined. */
  AUTO,
  /** No result waits there. */
  OFF,
  /** Results wait there; no step runs again, and no weights are streamed. */
  ONLY;

  /** The choice of this name, as {@link #toString} writes it. */
  public static OffloadChoice of(String name) {
    return Arrays.stream(values()).filter(it -> it.toString().equals(name)).findFirst().orElseThrow(
      () -> new IllegalArgumentException("unknown choice of offload: given=%s known=%s".formatted(name, List.of(
        values()))));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
