package dev.cairn.runtime.trace;

/**
 * When a step ran, or a copy was made. Times are of {@link System#nanoTime}, counted from the start of the trace.
 *
 * @param index of the step or copy in its graph
 * @param stream on which it ran, from 0 on
 * @param endNanos of one that was never finished, the end of its run
 */
public record Span(int index, int stream, long beginNanos, long endNanos, boolean finished) {
  public long nanos() {
    return endNanos - beginNanos;
  }
}
