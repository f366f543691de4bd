package dev.cairn.runtime.memory.recompute.grappler;

import dev.cairn.runtime.memory.recompute.Word;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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

  /** By node that ends what earlier nodes read: those nodes. */
  private final Map<String, List<String>> ended;

  /**
   * @param names of the problem's nodes, by number
   * @param ended by node that ends what earlier nodes read: those nodes; it waits for their copies where it can
   */
  GrapplerWord(GrapplerGraph graph, String[] names, Map<String, List<String>> ended) {
    this.graph = graph;
    this.ended = ended;
    graph.nodes().forEach(node -> byName.put(node.name(), node));
    for (int node = 0; node < names.length; node++) {
      numbers.put(names[node], node);
      numbers.put(GrapplerRecompute.COPY + names[node], node);
    }
    List<String> deferred = new ArrayList<>();
    for (String name : names) {
      deferred.add(name);
      List<String> ready = deferred.stream().filter(it -> !awaitsReaders(it)).toList();
      ready.forEach(this::run);
      deferred.removeAll(ready);
    }
    deferred.forEach(this::run);
  }

  /** Whether a node ends what another one, or its copy, reads that has not run. */
  private boolean awaitsReaders(String name) {
    return ended.getOrDefault(name, List.of()).stream().flatMap(it -> Stream.of(it, GrapplerRecompute.COPY + it))
      .anyMatch(it -> byName.containsKey(it) && !positions.containsKey(it));
  }

  /** The nodes that run, or whose copies do, after a node that ends what they read. */
  Set<String> late() {
    Set<String> late = new TreeSet<>();
    ended.forEach((ending, readers) -> readers.forEach(reader -> {
      int last = Math.max(position(reader), positions.getOrDefault(GrapplerRecompute.COPY + reader, -1));
      if (last > position(ending)) {
        late.add(reader);
      }
    }));
    return late;
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
