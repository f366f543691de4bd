package dev.cairn.runtime.compile;

import java.util.Map;
import java.util.OptionalLong;

/**
 * How much memory a model may take, and what to do when it needs more. Without a limit, nothing runs again and nothing
 * is copied.
 *
 * @param limitBytes the most for weights, variables and the plan, and for inputs and results as far as {@link
 *   MemoryNeed} counts them
 * @param offload whether results may wait in the host's memory, on a GPU
 * @param linkBytesPerSecond how fast a GPU copies from and to the host's memory: a prediction, which decides which
 *   values are copied, but never changes results
 * @param measuredNanos how long steps take, by name, as a profile says; the work of other steps is counted. They decide
 *   what runs again, never what results are
 * @param work what a search may cost, in the planner's units; 0 for the mode's own
 */
public record RecomputeOptions(RecomputeMode mode, OptionalLong limitBytes, OffloadChoice offload,
  long linkBytesPerSecond,
  Map<String, Long> measuredNanos, long work) {
  public static final RecomputeOptions DEFAULT = new RecomputeOptions(RecomputeMode.AUTO, OptionalLong.empty(),
    OffloadChoice.AUTO,
    24_000_000_000L, Map.of(), 0);

  public RecomputeOptions {
    if (limitBytes.isPresent() && limitBytes.getAsLong() < 0) {
      throw new IllegalArgumentException("a limit must not be negative: limitBytes=" + limitBytes.getAsLong());
    }
    if (linkBytesPerSecond <= 0) {
      throw new IllegalArgumentException("a link copies bytes: linkBytesPerSecond=" + linkBytesPerSecond);
    }
    if (work < 0) {
      throw new IllegalArgumentException("a search costs something: work=" + work);
    }
    measuredNanos = Map.copyOf(measuredNanos);
  }

  public RecomputeOptions withMode(RecomputeMode other) {
    return new RecomputeOptions(other, limitBytes, offload, linkBytesPerSecond, measuredNanos, work);
  }

  public RecomputeOptions withLimitBytes(long bytes) {
    return new RecomputeOptions(mode, OptionalLong.of(bytes), offload, linkBytesPerSecond, measuredNanos, work);
  }

  public RecomputeOptions withOffload(OffloadChoice other) {
    return new RecomputeOptions(mode, limitBytes, other, linkBytesPerSecond, measuredNanos, work);
  }

  public RecomputeOptions withLinkBytesPerSecond(long bytes) {
    return new RecomputeOptions(mode, limitBytes, offload, bytes, measuredNanos, work);
  }

  /** These options with times of steps by name. */
  public RecomputeOptions withMeasuredNanos(Map<String, Long> nanos) {
    return new RecomputeOptions(mode, limitBytes, offload, linkBytesPerSecond, nanos, work);
  }

  /** These options with another limit of a search's work, in the planner's units; 0 for the mode's own. */
  public RecomputeOptions withWork(long units) {
    return new RecomputeOptions(mode, limitBytes, offload, linkBytesPerSecond, measuredNanos, units);
  }

  /** The most work of a search. */
  long searchWork() {
    return work == 0 ? mode.work() : work;
  }
}
