package dev.cairn.runtime.memory.recompute.grappler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * The facts of a graph's memory that TensorFlow's cluster reports: input to the passes that need it.
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

  /**
   * The facts of a graph that runs on one GPU, one node after the other.
   *
   * @param order the nodes in the order in which they run
   * @param nanos by node, how long it runs
   * @param bytes by node, of each output
   */
  static GrapplerMemory ofOneGpu(String name, long memoryBytes, List<GrapplerNode> order, Map<String, Long> nanos,
    Map<String, List<Long>> bytes) {
    Map<String, Long> starts = new HashMap<>();
    Map<String, Long> ends = new HashMap<>();
    Map<String, Long> lastUses = new HashMap<>();
    long now = 0;
    for (GrapplerNode node : order) {
      starts.put(node.name(), now);
      now += nanos.getOrDefault(node.name(), 0L);
      ends.put(node.name(), now);
      long end = now;
      node.values().forEach(input -> lastUses.merge(place(input), end, Math::max));
    }
    List<Live> all = new ArrayList<>();
    for (GrapplerNode node : order) {
      List<Long> sizes = bytes.getOrDefault(node.name(), List.of());
      long end = ends.getOrDefault(node.name(), 0L);
      for (int output = 0; output < sizes.size(); output++) {
        all.add(new Live(node.name(), output, sizes.get(output), starts.getOrDefault(node.name(), 0L), Math.max(end,
          lastUses.getOrDefault(node.name() + ":" + output, 0L)) + 1));
      }
    }
    return new GrapplerMemory(Map.of(name, atPeak(memoryBytes, all)), ends, completions(new GrapplerGraph(order),
      nanos), bytes, Set.of());
  }

  private static String place(String input) {
    return GrapplerNode.producer(input) + ":" + GrapplerNode.port(input);
  }

  /** A GPU with the tensors that live when most bytes do; the first such moment counts. */
  private static Device atPeak(long memoryBytes, List<Live> all) {
    TreeMap<Long, Long> changes = new TreeMap<>();
    for (Live live : all) {
      changes.merge(live.from(), live.bytes(), Long::sum);
      changes.merge(live.to(), -live.bytes(), Long::sum);
    }
    long held = 0;
    long peak = 0;
    long at = 0;
    for (Map.Entry<Long, Long> change : changes.entrySet()) {
      held += change.getValue();
      if (held > peak) {
        peak = held;
        at = change.getKey();
      }
    }
    long time = at;
    return new Device(true, memoryBytes, peak, all.stream().filter(it -> it.from() <= time && time < it.to()).toList());
  }

  /**
   * When each node ends if it begins as soon as its last input is there, a merge with its first. Each takes its time,
   * at least 1 ns.
   *
   * @param nanos by node, how long it runs
   * @return by node, in ns
   */
  public static Map<String, Long> completions(GrapplerGraph graph, Map<String, Long> nanos) {
    Map<String, Long> done = new HashMap<>();
    for (GrapplerNode node : graph.sorted().nodes()) {
      LongStream known = node.inputs().stream().map(GrapplerNode::producer).filter(done::containsKey).mapToLong(
        it -> done.getOrDefault(it, 0L));
      long begins = (node.op().equals("Merge") ? known.min() : known.max()).orElse(0);
      done.put(node.name(), begins + Math.max(1, nanos.getOrDefault(node.name(), 0L)));
    }
    return done;
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
