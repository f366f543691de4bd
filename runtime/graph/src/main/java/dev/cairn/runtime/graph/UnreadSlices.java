package dev.cairn.runtime.graph;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Drops stacked results of loops that nothing reads: they would only cost memory, and their size may be unknown. */
public final class UnreadSlices {
  private UnreadSlices() {}

  /** The graph without them, in bodies too; the same graph when there are none. */
  public static Graph dropped(Graph graph) {
    if (graph.nodes().stream().noneMatch(node -> node.kind() instanceof NodeKind.Control)) {
      return graph;
    }
    Set<NodeEntry> read = new HashSet<>();
    graph.nodes().forEach(node -> read.addAll(node.inputs()));
    graph.outputs().forEach(output -> read.add(output.entry()));
    return GraphRewriter.rewrite(graph, (old, current) -> switch (current.kind()) {
      case NodeKind.Repeat repeat -> repeated(old, inBodies(current, repeat), read);
      case NodeKind.Branch branch -> inBodies(current, branch).entries();
      default -> current.entries();
    });
  }

  private static Node inBodies(Node node, NodeKind.Control control) {
    List<Graph> bodies = control.bodies().stream().map(UnreadSlices::dropped).toList();
    return bodies.equals(control.bodies())
      ? node
      : node.with(control.withBodies(bodies), node.inputs());
  }

  private static List<NodeEntry> repeated(Node old, Node node, Set<NodeEntry> read) {
    var repeat = (NodeKind.Repeat) node.kind();
    List<NodeKind.Repeat.Slices> stacked = new ArrayList<>();
    List<Graph.Output> outputs = new ArrayList<>(repeat.body().outputs().subList(0, 1 + repeat.carried()));
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < repeat.outputs(); i++) {
      boolean kept = i < repeat.carried() || read.contains(old.entry(i));
      places.add(i < repeat.carried() ? i : kept ? repeat.carried() + stacked.size() : 0);
      if (kept && i >= repeat.carried()) {
        stacked.add(repeat.stacked().get(i - repeat.carried()));
        outputs.add(repeat.body().outputs().get(1 + i));
      }
    }
    if (stacked.size() == repeat.stacked().size()) {
      return node.entries();
    }
    var smaller = new NodeKind.Repeat(repeat.body().withOutputs(outputs), repeat.carried(), repeat.scanned(), stacked);
    Node made = node.with(smaller, node.inputs());
    return places.stream().map(made::entry).toList();
  }
}
