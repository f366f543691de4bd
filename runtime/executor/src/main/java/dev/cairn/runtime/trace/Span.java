package dev.cairn.runtime.trace;

/**
 * The time span of a step or copy. Times come from {@link System#nanoTime}, relative to the start of the trace.
 *
 * @param index of the step or copy in its graph
 * @param stream the stream that it ran on, counted from 0
 * @param endNanos when it ended; the end of the run if it never finished
 */
public record Span(int index, int stream, long beginNanos, long endNanos, boolean finished) {
  public long nanos() {
    return endNanos - beginNanos;
  }
}
