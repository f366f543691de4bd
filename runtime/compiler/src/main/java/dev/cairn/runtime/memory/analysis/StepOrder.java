package dev.cairn.runtime.memory.analysis;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.IndexedGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.memory.order.OrderProblem;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.OperatorTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes a problem of order of a graph's steps, and puts the answer into the graph. */
public final class StepOrder {
  private final IndexedGraph graph;
  private final Storage storage;

  /** @param storage of {@link StorageAnalysis#analyseSeparate}: values share no buffers */
  public StepOrder(IndexedGraph graph, Storage storage) {
    this.graph = graph;
    this.storage = storage;
  }

  /**
   * The steps as nodes, in the graph's order; the planned buffers as values.
   *
   * @param operators what may be written in place
   */
  public OrderProblem problem(OperatorTable operators) {
    int steps = storage.steps().size();
    List<List<Integer>> readers = new ArrayList<>();
    storage.problem().buffers().forEach(buffer -> readers.add(new ArrayList<>()));
    for (int step = 0; step < steps; step++) {
      for (int buffer : read(step)) {
        readers.get(buffer).add(step);
      }
    }
    var builder = OrderProblem.builder(steps);
    int[] values = new int[readers.size()];
    for (int step = 0; step < steps; step++) {
      for (int buffer : made(step)) {
        var it = storage.problem().buffer(buffer);
        values[buffer] = builder.value(step, it.reservedBytes(), it.output() || !it.reusable(),
          readers.get(buffer).stream().mapToInt(Integer::intValue).toArray());
      }
      Optional<Place.Planned> workspace = storage.workspaces().get(step);
      if (workspace.isPresent()) {
        builder.workspace(step, storage.problem().buffer(workspace.get().buffer()).reservedBytes());
      }
      allowInPlace(builder, step, operators, values);
    }
    keepWhatIsRead(builder);
    VariableOrder.of(graph, storage).forEach(pair -> builder.before(pair.first(), pair.then()));
    return builder.build();
  }

  /** The entry of each value of the problem, by its number. */
  public List<NodeEntry> values() {
    List<NodeEntry> values = new ArrayList<>();
    Set<Integer> known = new HashSet<>();
    for (Node step : storage.steps()) {
      for (NodeEntry entry : step.entries()) {
        if (buffer(entry).filter(known::add).isPresent()) {
          values.add(entry);
        }
      }
    }
    return values;
  }

  /**
   * Requires that a step comes after the steps whose results it reads, also where these results lie in no planned
   * buffer.
   */
  private void keepWhatIsRead(OrderProblem.Builder builder) {
    Map<Node, Integer> indices = new HashMap<>();
    for (int step = 0; step < storage.steps().size(); step++) {
      Set<Node> seen = new HashSet<>();
      List<Node> open = new ArrayList<>();
      storage.steps().get(step).inputs().forEach(read -> addUnplanned(read, open, indices));
      while (!open.isEmpty()) {
        Node node = open.removeLast();
        Integer earlier = indices.get(node);
        if (earlier != null) {
          builder.before(earlier, step);
        } else if (seen.add(node)) {
          open.addAll(inputs(node));
        }
      }
      indices.put(storage.steps().get(step), step);
    }
  }

  /** Requires the order of reads that the problem lacks: it knows only the readers of values in planned buffers. */
  private void addUnplanned(NodeEntry read, List<Node> open, Map<Node, Integer> steps) {
    Node node = read.node();
    if (read.isAbsent() || buffer(read).isEmpty()) {
      open.add(node);
      return;
    }
    while (!steps.containsKey(node)) {
      node.inputs().stream().skip(1).map(NodeEntry::node).forEach(open::add);
      node = node.inputs().getFirst().node();
    }
  }

  private Set<Integer> read(int step) {
    Set<Integer> buffers = new LinkedHashSet<>();
    storage.steps().get(step).inputs().stream().filter(it -> !it.isAbsent()).map(this::buffer).flatMap(Optional::stream)
      .forEach(buffers::add);
    return buffers;
  }

  private Set<Integer> made(int step) {
    Set<Integer> buffers = new LinkedHashSet<>();
    storage.steps().get(step).entries().forEach(it -> buffer(it).ifPresent(buffers::add));
    return buffers;
  }

  private Optional<Integer> buffer(NodeEntry entry) {
    return storage.places().get(graph.entryId(entry)) instanceof Place.Planned(int buffer)
      ? Optional.of(buffer)
      : Optional.empty();
  }

  private void allowInPlace(OrderProblem.Builder builder, int step, OperatorTable operators, int[] values) {
    Node node = storage.steps().get(step);
    for (MemoryTraits.Pair pair : operators.memory(node).inPlace()) {
      if (pair.input() < node.inputs().size() && !node.inputs().get(pair.input()).isAbsent()
        && pair.output() < node.kind().outputs()) {
        Optional<Integer> input = buffer(node.inputs().get(pair.input()));
        Optional<Integer> output = buffer(node.entry(pair.output()));
        if (input.isPresent() && output.isPresent()) {
          builder.inPlace(step, values[input.get()], values[output.get()]);
        }
      }
    }
  }

  /**
   * The graph with its steps in this order. A node that is no step (a constant, a result under another shape) comes
   * right before the first step that reads it; a direct assign right after the step that writes the variable.
   *
   * @param order indices of steps
   */
  public Graph reordered(List<Integer> order) {
    Set<Node> nodes = new LinkedHashSet<>(graph.graph().inputs());
    Map<Node, List<Node>> written = new HashMap<>();
    storage.variables().direct().forEach(assign -> written.computeIfAbsent(assign.inputs().get(1).node(),
      _ -> new ArrayList<>()).add(assign));
    for (int step : order) {
      Node node = storage.steps().get(step);
      addWithWhatItReads(node, nodes);
      written.getOrDefault(node, List.of()).forEach(assign -> addWithWhatItReads(assign, nodes));
    }
    graph.graph().nodes().forEach(nodes::add); // whatever only outputs read
    return graph.graph().inOrder(List.copyOf(nodes));
  }

  /** Added steps keep the graph's own order. */
  private void addWithWhatItReads(Node step, Set<Node> nodes) {
    Set<Node> wanted = new HashSet<>();
    List<Node> open = new ArrayList<>(List.of(step));
    while (!open.isEmpty()) {
      Node node = open.removeLast();
      if (!nodes.contains(node) && !isAbsent(node) && wanted.add(node)) {
        open.addAll(inputs(node));
      }
    }
    wanted.stream().sorted(Comparator.comparingInt(graph::nodeId)).forEach(nodes::add);
  }

  private static boolean isAbsent(Node node) {
    return node == Node.absent().node();
  }

  private static Collection<Node> inputs(Node node) {
    return node.inputs().stream().map(NodeEntry::node).toList();
  }
}
