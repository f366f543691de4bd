package dev.cairn.runtime.memory.recompute.grappler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The swapping pass of TensorFlow's memory optimizer: values that a node reads much later than others do are copied to
 * the host after the first other reader, and back when a node ends that runs shortly before. Upstream takes marked
 * nodes in hashed order; here they come in the order of their marks.
 *
 * @param memory of the graph; new nodes are not part of it, and a mark that meets one is left out
 */
public record GrapplerSwap(GrapplerMemory memory) {
  /** The inputs of a node that are copied to the host and back. */
  public record Mark(String node, List<Integer> inputs) {
    public Mark {
      inputs = List.copyOf(inputs);
    }
  }

  /** How fast upstream takes copies to be. */
  public static final double BYTES_PER_NANO = 16;

  private static final long LEAST_BYTES = 1024;
  private static final long LEAST_NANOS = 1_000_000;

  /** What heuristics mark: enough values that live at a GPU's peak for it to fit, the fittest first, in node order. */
  public List<Mark> marks(GrapplerGraph graph) {
    Map<String, TreeSet<Integer>> marked = new HashMap<>();
    memory.devices().values().stream().filter(it -> it.isGpu() && it.peakBytes() > it.memoryBytes()).forEach(
      device -> {
        long needed = device.peakBytes() - device.memoryBytes();
        for (Candidate candidate : candidates(graph, device)) {
          candidate.uses.forEach((node, inputs) -> marked.computeIfAbsent(node, _ -> new TreeSet<>()).addAll(inputs));
          needed -= candidate.live.bytes();
          if (needed < 0) {
            break;
          }
        }
      });
    return graph.nodes().stream().filter(it -> marked.containsKey(it.name())).map(it -> new Mark(it.name(), List.copyOf(
      marked.getOrDefault(it.name(), new TreeSet<>())))).toList();
  }

  private record Candidate(GrapplerMemory.Live live, double fitness, Map<String, List<Integer>> uses) {}

  private List<Candidate> candidates(GrapplerGraph graph, GrapplerMemory.Device device) {
    Map<String, GrapplerNode> nodes = byName(graph);
    long peak = device.live().stream().mapToLong(GrapplerMemory.Live::from).max().orElse(0);
    List<Candidate> found = new ArrayList<>();
    for (GrapplerMemory.Live live : device.live()) {
      GrapplerNode node = nodes.get(live.node());
      if (node != null && live.bytes() > LEAST_BYTES && live.to() - live.from() > LEAST_NANOS && isSwappable(node,
        nodes)) {
        candidate(graph, live, peak).ifPresent(found::add);
      }
    }
    found.sort(Comparator.comparingDouble(Candidate::fitness));
    return found;
  }

  private boolean isSwappable(GrapplerNode node, Map<String, GrapplerNode> nodes) {
    if (node.is(GrapplerOperator.Fact.PERSISTENT) || memory.references().contains(node.name())) {
      return false;
    }
    GrapplerNode of = node.is(GrapplerOperator.Fact.VIEW) && !node.inputs().isEmpty()
      ? nodes.get(GrapplerNode.producer(node.inputs().getFirst()))
      : null;
    return of == null || !of.device().equals(node.device()) || isSwappable(of, nodes);
  }

  /** Empty where a reader is not known to end, or takes a reference. */
  private Optional<Candidate> candidate(GrapplerGraph graph, GrapplerMemory.Live live, long peak) {
    Map<String, List<Integer>> uses = new LinkedHashMap<>();
    long earliest = Long.MAX_VALUE;
    int count = 0;
    for (GrapplerNode reader : graph.nodes()) {
      for (int i = 0; i < reader.inputs().size(); i++) {
        if (!isOutput(reader.inputs().get(i), live.node(), live.output())) {
          continue;
        }
        Long end = memory.ends().get(reader.name());
        if (end == null) {
          return Optional.empty();
        }
        if (end > peak) {
          uses.computeIfAbsent(reader.name(), _ -> new ArrayList<>()).add(i);
          earliest = Math.min(earliest, end);
          count++;
        }
      }
    }
    double later = earliest - (double) peak;
    double before = live.from() - (double) peak;
    return count == 0
      ? Optional.empty()
      : Optional.of(new Candidate(live, -(later * later / ((double) count * count) + before * before), uses));
  }

  private static boolean isOutput(String input, String node, int output) {
    return GrapplerNode.port(input) == output && GrapplerNode.producer(input).equals(node);
  }

  private static Map<String, GrapplerNode> byName(GrapplerGraph graph) {
    Map<String, GrapplerNode> nodes = new HashMap<>();
    graph.nodes().forEach(it -> nodes.put(it.name(), it));
    return nodes;
  }

  /** The name of the node that copies a node's input to the host. */
  static String outName(String node, int input) {
    return "swap_out_%s_%d".formatted(node, input);
  }

  /** The name of the node that copies a node's input back. */
  static String backName(String node, int input) {
    return "swap_in_%s_%d".formatted(node, input);
  }

  /** The graph with what is marked copied, the new nodes behind it. */
  public GrapplerGraph apply(GrapplerGraph graph, List<Mark> marks) {
    var writer = new Writer(graph, memory);
    marks.forEach(writer::write);
    return new GrapplerGraph(List.copyOf(writer.nodes.values()));
  }

  private static final class Writer {
    private final GrapplerMemory memory;
    private final Map<String, GrapplerNode> nodes = new LinkedHashMap<>();

    Writer(GrapplerGraph graph, GrapplerMemory memory) {
      this.memory = memory;
      graph.nodes().forEach(it -> nodes.put(it.name(), it));
    }

    void write(Mark mark) {
      GrapplerNode node = nodes.get(mark.node());
      Optional<String> in = node == null ? Optional.empty() : inTrigger(node, mark.inputs());
      if (in.isPresent()) {
        mark.inputs().forEach(input -> copy(mark.node(), input, in.get()));
      }
    }

    /** The node after which the copies back begin; empty where none ends early enough. */
    private Optional<String> inTrigger(GrapplerNode node, List<Integer> swapped) {
      double limit = 0;
      for (String input : node.inputs()) {
        Long end = memory.completions().get(GrapplerNode.producer(input));
        if (end == null) {
          return Optional.empty();
        }
        limit = Math.max(limit, end);
      }
      limit -= swapped.stream().mapToLong(it -> memory.bytes(node.inputs().get(it))).sum() / BYTES_PER_NANO;
      Set<String> from = new HashSet<>();
      for (int i = 0; i < node.inputs().size(); i++) {
        if (!swapped.contains(i)) {
          from.add(GrapplerNode.producer(node.inputs().get(i)));
        }
      }
      return latest(from, limit);
    }

    private Optional<String> latest(Set<String> from, double limit) {
      Set<String> met = new HashSet<>(from);
      TreeSet<String> waiting = new TreeSet<>(from);
      Optional<String> best = Optional.empty();
      long most = Long.MIN_VALUE;
      while (!waiting.isEmpty()) {
        String name = waiting.removeFirst();
        GrapplerNode node = nodes.get(name);
        Long end = memory.completions().get(name);
        if (node == null || end == null) {
          return Optional.empty();
        }
        if (node.is(GrapplerOperator.Fact.ENDS_PATHS)) {
          continue;
        }
        if (end < limit) {
          best = end >= most ? Optional.of(name) : best;
          most = Math.max(most, end);
        } else {
          node.inputs().stream().map(GrapplerNode::producer).filter(met::add).forEach(waiting::add);
        }
      }
      return best;
    }

    private void copy(String name, int input, String in) {
      GrapplerNode node = nodes.getOrDefault(name, new GrapplerNode(name, "", List.of(), "", Set.of()));
      String read = node.inputs().get(input);
      String out = outName(name, input);
      String back = backName(name, input);
      GrapplerMemory.Device device = memory.devices().get(node.device());
      Optional<GrapplerNode> trigger = outTrigger(name, read);
      if (device == null || !device.isGpu() || memory.isReference(read) || nodes.containsKey(out) || nodes.containsKey(
        back) || trigger.isEmpty()) {
        return;
      }
      nodes.put(out, new GrapplerNode(out, "_CopyFromGpuToHost", List.of(read), node.device(), Set.of()));
      nodes.put(back, new GrapplerNode(back, "_CopyFromHostToGpu", List.of(out, "^" + in), node.device(), Set.of()));
      List<String> inputs = new ArrayList<>(node.inputs());
      inputs.set(input, back);
      nodes.put(name, node.withInputs(inputs));
      List<String> more = new ArrayList<>(trigger.get().inputs());
      more.add("^" + out);
      nodes.put(trigger.get().name(), trigger.get().withInputs(more));
    }

    /** The other reader of a value that ends first. */
    private Optional<GrapplerNode> outTrigger(String name, String read) {
      String producer = GrapplerNode.producer(read);
      return nodes.values().stream().filter(it -> !it.name().equals(name) && memory.completions().containsKey(it
        .name()) && it.inputs().stream().anyMatch(input -> isOutput(input, producer, GrapplerNode.port(read)))).min(
          Comparator.comparingLong(it -> memory.completions().getOrDefault(it.name(), Long.MAX_VALUE)));
    }
  }
}
