package dev.cairn.runtime.trace;

import java.util.List;

/**
 * The facts about a step that are known before it runs.
 *
 * @param node the node's name
 * @param operator the node's operator
 * @param kernel the kernel that computes it
 * @param types types of operands and results, as text
 * @param readBytes bytes of its operands
 * @param writtenBytes bytes of its results
 * @param liveBytes bytes of the results and of all buffers that the plan holds during the step, on one stream
 * @param waits steps of other streams that must end first
 */
public record TracedStep(String node, String operator, String kernel, String types, long readBytes, long writtenBytes,
  long liveBytes, List<Integer> waits) {
  public TracedStep {
    waits = List.copyOf(waits);
  }
}
