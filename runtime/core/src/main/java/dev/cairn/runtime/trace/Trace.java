package dev.cairn.runtime.trace;

import java.time.Instant;
import java.util.List;

/**
 * What a tracer had kept at one moment.
 *
 * @param startedAt the time of day from which nanoseconds are counted
 * @param runs that are over, in the order in which they ended
 * @param forgotten how many earlier runs were not kept
 */
public record Trace(Instant startedAt, List<TracedRun> runs, long forgotten) {
  public Trace {
    runs = List.copyOf(runs);
  }
}
