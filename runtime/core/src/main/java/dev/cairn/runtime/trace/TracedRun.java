package dev.cairn.runtime.trace;

import java.util.List;

/**
 * One run that is over.
 *
 * @param number counted from 0 by the tracer, in the order in which runs were asked for
 * @param lane two runs that overlap in time have different ones; from 0 on, as few as possible
 * @param askedNanos when the caller asked for it, counted from the start of the trace
 * @param beganNanos when it was admitted; the end for one that never was
 * @param endNanos when its outputs were copied, or it failed
 * @param steps those that began, in the order of the graph
 * @param copies those that began
 */
public record TracedRun(long number, int lane, TracedGraph graph, long askedNanos, long beganNanos, long endNanos,
  boolean failed, List<Span> steps, List<Span> copies) {
  public TracedRun {
    steps = List.copyOf(steps);
    copies = List.copyOf(copies);
  }
}
