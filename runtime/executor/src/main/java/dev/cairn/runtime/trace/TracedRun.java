package dev.cairn.runtime.trace;

import java.util.List;

/**
 * One completed run.
 *
 * @param number the tracer's number for the run, from 0, in the order of the calls
 * @param lane a small number, from 0; runs that overlap in time have different lanes
 * @param askedNanos when the caller asked for it, relative to the start of the trace
 * @param beganNanos when it began; its end if it never began
 * @param endNanos when its outputs were copied, or it failed
 * @param steps the steps that began, in the order of the graph
 * @param copies the copies that began
 */
public record TracedRun(long number, int lane, TracedGraph graph, long askedNanos, long beganNanos, long endNanos,
  boolean failed, List<Span> steps, List<Span> copies) {
  public TracedRun {
    steps = List.copyOf(steps);
    copies = List.copyOf(copies);
  }
}
