package dev.cairn.runtime.trace;

import java.time.Instant;
import java.util.List;

/**
 * A tracer's recorded runs at one moment.
 *
 * @param startedAt the time of day from which nanoseconds are counted
 * @param runs the completed runs, in the order in which they ended
 * @param forgotten how many earlier runs the tracer has dropped
 */
public record Trace(Instant startedAt, List<TracedRun> runs, long forgotten) {
  public Trace {
    runs = List.copyOf(runs);
  }
}
