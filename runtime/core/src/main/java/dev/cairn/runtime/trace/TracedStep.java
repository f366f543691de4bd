package dev.cairn.runtime.trace;

import java.util.List;

/**
 * What is known of a step before it runs.
 *
 * @param node the node's name
 * @param operator what it does
 * @param kernel which of the kernels for it does that
 * @param types of operands and results, for people
 * @param readBytes of its operands
 * @param writtenBytes of its results
 * @param liveBytes of all buffers that the plan holds while it runs, on one stream, and of the results
 * @param waits steps of other streams that must have ended before
 */
public record TracedStep(String node, String operator, String kernel, String types, long readBytes, long writtenBytes,
  long liveBytes, List<Integer> waits) {
  public TracedStep {
    waits = List.copyOf(waits);
  }
}
