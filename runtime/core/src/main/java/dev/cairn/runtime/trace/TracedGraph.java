package dev.cairn.runtime.trace;

import java.util.List;

/**
 * What a trace tells of a planned model: all of it known before the first run.
 *
 * @param name the model's own
 * @param device what runs it, for people
 * @param streams on how many streams its steps are planned, at least 1
 * @param planBytes of its pools
 * @param steps in their order
 * @param copies one for each output, in the model's order; which of them are made, a run says
 */
public record TracedGraph(String name, String device, int streams, long planBytes, List<TracedStep> steps,
  List<TracedCopy> copies) {
  public TracedGraph {
    if (streams < 1) {
      throw new IllegalArgumentException("a graph without streams: name=%s streams=%d".formatted(name, streams));
    }
    steps = List.copyOf(steps);
    copies = List.copyOf(copies);
  }
}
