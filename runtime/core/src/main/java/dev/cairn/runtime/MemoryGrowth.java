package dev.cairn.runtime;

import java.util.Arrays;
import java.util.Locale;

/** How a session takes memory from the system, or from the driver of a GPU. */
public enum MemoryGrowth {
  /** Each plan, each block of weights and each growth of the results' pool is a region as long as it needs. */
  AS_REQUESTED,
  /** As {@link #AS_REQUESTED}, but the results' pool grows by doubling, from 2 MiB. */
  DOUBLING,
  /** One region of the whole limit, which weights, plans and results share: nothing is taken after the first run. */
  WHOLE,
  /**
   * As {@link #AS_REQUESTED}, in virtual memory: one range of addresses, into which memory is mapped as it is needed.
   * Regions next to each other are one. On a GPU only: the system already maps the processor's memory so.
   */
  VIRTUAL;

  /** @throws IllegalArgumentException when there is none of this name */
  public static MemoryGrowth of(String name) {
    return Arrays.stream(values()).filter(it -> it.toString().equals(name)).findFirst().orElseThrow(
      () -> new IllegalArgumentException("no such growth of memory: name=%s known=%s".formatted(name, Arrays.toString(
        values()))));
  }

  /** The name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
