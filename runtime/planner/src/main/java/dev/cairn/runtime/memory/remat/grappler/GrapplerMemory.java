package dev.cairn.runtime.memory.remat.grappler;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What TensorFlow's cluster says of a graph's memory. All of it is input to the passes that need it: nothing is
 * estimated here.
 *
 * @param devices by name
 * @param ends by node, when it ends in the simulated run, in ns; nodes that did not run are missing
 * @param completions by node, when it ends if each node begins as soon as its inputs are there, in ns
 * @param bytes by node, of each output
 * @param references nodes whose output is a reference
 */
public record GrapplerMemory(Map<String, Device> devices, Map<String, Long> ends, Map<String, Long> completions,
  Map<String, List<Long>> bytes, Set<String> references) {
  /**
   * A device's memory.
   *
   * @param live the tensors that are live when most bytes are
   */
  public record Device(boolean isGpu, long memoryBytes, long peakBytes, List<Live> live) {
    public Device {
      live = List.copyOf(live);
    }
  }

  /** A tensor while it lives, in ns. */
  public record Live(String node, int output, long bytes, long from, long to) {}

  /** Keeps copies. */
  public GrapplerMemory {
    devices = Map.copyOf(devices);
    ends = Map.copyOf(ends);
    completions = Map.copyOf(completions);
    bytes = Map.copyOf(bytes);
    references = Set.copyOf(references);
  }

  boolean isReference(String input) {
    return references.contains(GrapplerNode.producer(input));
  }

  long bytes(String input) {
    List<Long> sizes = bytes.getOrDefault(GrapplerNode.producer(input), List.of());
    int port = GrapplerNode.port(input);
    return port < sizes.size() ? sizes.get(port) : 0;
  }
}
