package dev.cairn.runtime.memory.recompute.grappler;

import dev.cairn.runtime.memory.recompute.Word;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * How the TensorFlow graph of a problem runs, one node after the other: the nodes in their order, each copy right
 * before its reader.
 */
public final class GrapplerWord {
  private final GrapplerGraph graph;
  private final Map<String, GrapplerNode> byName = new HashMap<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<Integer> steps = new ArrayList<>();
  private final List<GrapplerNode> order = new ArrayList<>();
  /** For each node, how many steps have run when it runs. */
  private final Map<String, Integer> positions = new HashMap<>();

  /** @param names of the problem's nodes, by number */
  GrapplerWord(GrapplerGraph graph, String[] names) {
    this.graph = graph;
    graph.nodes().forEach(node -> byName.put(node.name(), node));
    for (int node = 0; node < names.length; node++) {
      numbers.put(names[node], node);
      numbers.put(GrapplerRecompute.COPY + names[node], node);
    }
    for (String name : names) {
      run(name);
    }
  }

  /** The steps. */
  public Word word() {
    return Word.of(steps.stream().mapToInt(Integer::intValue).toArray());
  }

  GrapplerGraph graph() {
    return graph;
  }

  /** The nodes in the order in which they run. */
  List<GrapplerNode> order() {
    return order;
  }

  /** The problem's node that a node of the graph runs, -1 for a trigger. */
  int number(String name) {
    return numbers.getOrDefault(name, -1);
  }

  /** The step that a node is; of a trigger, the step behind it. */
  int position(String name) {
    return Objects.requireNonNull(positions.get(name), name);
  }

  /** Runs a node after all that it waits for; without recursion. */
  private void run(String name) {
    Deque<String> waiting = new ArrayDeque<>(List.of(name));
    while (!waiting.isEmpty()) {
      String next = waiting.element();
      List<String> missing = positions.containsKey(next)
        ? List.of()
        : producers(next).filter(it -> !positions.containsKey(it)).toList();
      if (missing.isEmpty()) {
        waiting.pop();
        ran(next);
      } else {
        missing.reversed().forEach(waiting::push);
      }
    }
  }

  private void ran(String name) {
    if (positions.putIfAbsent(name, steps.size()) == null) {
      order.add(Objects.requireNonNull(byName.get(name)));
      if (numbers.containsKey(name)) {
        steps.add(numbers.get(name));
      }
    }
  }

  private Stream<String> producers(String name) {
    return Objects.requireNonNull(byName.get(name)).inputs().stream().map(GrapplerNode::producer);
  }
}
