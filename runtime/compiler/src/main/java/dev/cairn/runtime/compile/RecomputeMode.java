package dev.cairn.runtime.compile;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What to do when a model needs more memory than it may take. */
public enum RecomputeMode {
  /** Nothing. */
  OFF(0),
  /** Run steps again, so that their results need not be held, if that makes the model fit. */
  AUTO(200_000_000L),
  /** As {@link #AUTO}, with twenty times the search. */
  SEARCH(4_000_000_000L),
  /** Run again what TensorFlow's memory optimizer would, to compare with it. */
  TF(0),
  /** Keep for gradients what PyTorch's compiler would, with the largest budget that fits, to compare with it. */
  MINCUT(0),
  /** Hold the checkpoints of Chen's rules, the cheapest that fit, to compare with them. */
  CHEN(0),
  /** Hold as many checkpoints as fit, and run again what Revolve would, to compare with it. */
  REVOLVE(0),
  /** Run again for gradients what MXNet would mirror, to compare with it. */
  MIRROR(0);

  private final long work;

  RecomputeMode(long work) {
    this.work = work;
  }

  /** What a search may cost, in the planner's units. */
  long work() {
    return work;
  }

  /** The mode of this name, as {@link #toString} writes it. */
  public static RecomputeMode of(String name) {
    return Arrays.stream(values()).filter(it -> it.toString().equals(name)).findFirst().orElseThrow(
      () -> new IllegalArgumentException("unknown mode of recomputation: given=%s known=%s".formatted(name, List.of(
        values()))));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
