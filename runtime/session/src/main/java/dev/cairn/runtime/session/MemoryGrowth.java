package dev.cairn.runtime.session;

import java.util.Arrays;
import java.util.Locale;

/** How a session takes memory from the operating system or the GPU driver. */
public enum MemoryGrowth {
  /** Each plan, each block of weights and each growth of the results' pool gets a region of exactly its size. */
  AS_REQUESTED,
  /** Like {@link #AS_REQUESTED}, but the results' pool grows by doubling, from 2 MiB. */
  DOUBLING,
  /**
   * One region of the whole limit serves weights, plans and results. The session takes no more memory after the first
   * run.
   */
  WHOLE,
  /**
   * Like {@link #AS_REQUESTED}, but regions are mapped into one range of virtual addresses, so neighbouring regions
   * merge. For GPUs only: the operating system already does this for the processor's memory.
   */
  VIRTUAL;

  /** @throws IllegalArgumentException when no growth has this name */
  public static MemoryGrowth of(String name) {
    return Arrays.stream(values()).filter(it -> it.toString().equals(name)).findFirst().orElseThrow(
      () -> new IllegalArgumentException("unknown memory growth: name=%s known=%s".formatted(name, Arrays.toString(
        values()))));
  }

  /** The name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
