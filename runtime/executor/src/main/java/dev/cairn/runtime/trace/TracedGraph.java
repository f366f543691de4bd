package dev.cairn.runtime.trace;

import java.util.List;

/**
 * The facts about a model that a trace needs, all known before the first run of a planned model.
 *
 * @param name the model's name
 * @param device a description of the device
 * @param streams how many streams the plan uses, at least 1
 * @param planBytes bytes of the plan's pools
 * @param steps the steps in order
 * @param copies one for each output, in the model's order; each run says which copies it made
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
