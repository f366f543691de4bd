package dev.cairn.runtime.memory.recompute.grappler;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The scheduling pass of TensorFlow's memory optimizer: on a device that is nearly full, a sum of three or more values
 * becomes additions into a variable, so that no addend has to wait for all others.
 *
 * @param memory of the graph
 * @param isKnown whether a sum's shape is known and its type can be accumulated
 */
public record GrapplerSums(GrapplerMemory memory, Predicate<String> isKnown) {
  /** The operator that a rewritten sum ends with. */
  static final String DESTROY = "DestroyTemporaryVariable";

  private static final int LEAST_ADDENDS = 3;
  private static final double NEARLY_FULL = 0.8;
  private static final String VARIABLE = "/tmp_var";

  /** The graph with sums rewritten, their new nodes behind it. */
  public GrapplerGraph apply(GrapplerGraph graph) {
    List<GrapplerNode> nodes = new ArrayList<>(graph.nodes());
    Map<String, Integer> numbers = new HashMap<>();
    graph.nodes().forEach(it -> numbers.put(it.name(), numbers.size()));
    for (int i = 0; i < graph.nodes().size(); i++) {
      if (isRewritten(graph.nodes().get(i), graph, numbers)) {
        rewrite(i, graph, numbers, nodes);
      }
    }
    return new GrapplerGraph(nodes);
  }

  private boolean isRewritten(GrapplerNode node, GrapplerGraph graph, Map<String, Integer> numbers) {
    GrapplerMemory.Device device = memory.devices().get(node.device());
    if (!node.is(GrapplerOperator.Fact.SUM) || device == null
      || device.peakBytes() <= NEARLY_FULL * device.memoryBytes()
      || !isKnown.test(node.name()) || numbers.containsKey(node.name() + VARIABLE)) {
      return false;
    }
    List<String> here = node.values().stream().filter(it -> numbers.containsKey(GrapplerNode.producer(it)) && graph
      .nodes().get(Objects.requireNonNull(numbers.get(GrapplerNode.producer(it)))).device().equals(node.device()))
      .toList();
    return node.values().size() >= LEAST_ADDENDS && here.stream().anyMatch(input -> device.live().stream().anyMatch(
      it -> it.node().equals(GrapplerNode.producer(input)) && it.output() == GrapplerNode.port(input)));
  }

  private static void rewrite(int at, GrapplerGraph graph, Map<String, Integer> numbers, List<GrapplerNode> nodes) {
    GrapplerNode node = graph.nodes().get(at);
    Map<String, Integer> met = meetings(node, graph, numbers);
    String earliest = node.values().stream().min(Comparator.comparingInt(it -> index(it, met))).orElseThrow();
    List<String> before = new ArrayList<>();
    List<String> after = new ArrayList<>();
    for (String control : node.inputs().stream().filter(GrapplerNode::isControl).toList().reversed()) {
      (index(control, met) < index(earliest, met) ? before : after).add(control);
    }
    String variable = node.name() + VARIABLE;
    before.add("^" + GrapplerNode.producer(earliest));
    nodes.add(made(node, variable, "TemporaryVariable", before));
    nodes.add(made(node, variable + "_zeros", "ZerosLike", List.of(earliest)));
    String first = variable + "_initializer";
    nodes.add(made(node, first, "Assign", List.of(variable, variable + "_zeros")));
    List<String> ends = new ArrayList<>(List.of(first));
    for (int i = 0; i < node.values().size(); i++) {
      String added = variable + "_accum_" + i;
      nodes.add(made(node, added, "AssignAdd", List.of(first, node.values().get(i))));
      ends.add("^" + added);
    }
    ends.addAll(after);
    nodes.set(at, made(node, node.name(), DESTROY, ends));
  }

  private static GrapplerNode made(GrapplerNode of, String name, String op, List<String> inputs) {
    return new GrapplerNode(name, op, inputs, of.device(), Set.of());
  }

  private static int index(String input, Map<String, Integer> met) {
    return met.getOrDefault(GrapplerNode.producer(input), Integer.MAX_VALUE);
  }

  /** The order in which a walk into the depth leaves what a node depends on; of its inputs, the last come first. */
  private static Map<String, Integer> meetings(GrapplerNode from, GrapplerGraph graph, Map<String, Integer> numbers) {
    Map<String, Integer> left = new HashMap<>();
    Set<String> entered = new HashSet<>();
    Deque<Deque<Integer>> waiting = new ArrayDeque<>();
    Deque<String> path = new ArrayDeque<>();
    entered.add(from.name());
    path.push(from.name());
    waiting.push(producers(from, numbers));
    while (!path.isEmpty()) {
      Integer next = waiting.element().poll();
      if (next == null) {
        left.put(path.pop(), left.size());
        waiting.pop();
      } else if (entered.add(graph.nodes().get(next).name())) {
        path.push(graph.nodes().get(next).name());
        waiting.push(producers(graph.nodes().get(next), numbers));
      }
    }
    return left;
  }

  private static Deque<Integer> producers(GrapplerNode node, Map<String, Integer> numbers) {
    return new ArrayDeque<>(node.inputs().stream().map(GrapplerNode::producer).map(numbers::get).filter(
      Objects::nonNull).distinct().sorted(Comparator.reverseOrder()).toList());
  }
}
