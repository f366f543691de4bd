package dev.cairn.runtime.compile;

import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.DeclaredType;
import dev.cairn.runtime.graph.DepthFirstOrder;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.HeapTensor;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.infer.KnownPart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A graph, cut where a type needs a value that only a run knows. The known part has types before the run, so it can be
 * planned. The open nodes read the known part alone and run one by one: their results decide types. The rest reads
 * both, and is cut again once its inputs have types.
 *
 * <pre>
 *   inputs ─► known ─► open ─► rest
 *                └──────────────┘
 * </pre>
 *
 * The outputs of each piece have the names of the inputs by which later pieces read them.
 *
 * @param known a graph whose types are known; empty when there is nothing to compute
 * @param open the nodes whose results have no types before the run; empty when all types are known
 * @param rest all later nodes; empty when there are none
 * @param outputs by output of the cut graph, the input or the output of a piece that it is; without those of the rest
 * @param reasons by open node, why it has no types
 * @param bounds the types of results of the known part, and the largest ones of open nodes that a rule bounds
 */
public record GraphCut(Optional<Graph> known, Optional<Graph> open, Optional<Graph> rest, Map<String, String> outputs,
  Map<Node, String> reasons, Map<String, TensorType> bounds) {

  static GraphCut of(Graph graph, KnownPart part) {
    return new Cutter(graph, part).cut();
  }

  /** Makes the pieces. */
  private static final class Cutter {
    private final Graph graph;
    private final KnownPart part;
    private final NodeNames names;
    /** The entry that later pieces read instead of another. */
    private final Map<NodeEntry, NodeEntry> places = new HashMap<>();
    private final Map<Node, Node> moved = new HashMap<>();
    private final List<Graph.Output> known = new ArrayList<>();
    private final List<Graph.Output> open = new ArrayList<>();
    private final Map<String, TensorType> bounds = new LinkedHashMap<>();

    Cutter(Graph graph, KnownPart part) {
      this.graph = graph;
      this.part = part;
      this.names = NodeNames.of(graph);
    }

    GraphCut cut() {
      part.open().keySet().forEach(this::move);
      List<Node> rest = graph.nodes().stream().filter(Node::isComputed).filter(it -> !part.known().contains(it) && !part
        .open().containsKey(it)).toList();
      rest.forEach(this::move);
      Map<String, String> outputs = new LinkedHashMap<>();
      List<Graph.Output> later = new ArrayList<>();
      Set<Node> ofRest = new LinkedHashSet<>(rest);
      for (Graph.Output output : graph.outputs()) {
        if (ofRest.contains(output.entry().node())) {
          later.add(new Graph.Output(output.name(), moved(output.entry())));
        } else {
          outputs.put(output.name(), output(output.entry()));
        }
      }
      List<Graph.Output> opened = open.stream().map(it -> new Graph.Output(it.name(), moved(it.entry()))).toList();
      return new GraphCut(piece(known), piece(opened), piece(later), outputs, part.open(), bounds);
    }

    private NodeEntry moved(NodeEntry entry) {
      return moved.getOrDefault(entry.node(), entry.node()).entry(entry.index());
    }

    private void move(Node node) {
      List<NodeEntry> inputs = node.inputs().stream().map(this::read).toList();
      moved.put(node, inputs.equals(node.inputs()) ? node : node.with(node.kind(), inputs));
    }

    /** The inputs of an open node, or of one of the rest. */
    private NodeEntry read(NodeEntry entry) {
      Node node = entry.node();
      if (entry.isAbsent() || !node.isComputed()) {
        return entry;
      }
      if (!part.known().contains(node) && !part.open().containsKey(node)) {
        return moved(entry);
      }
      return places.computeIfAbsent(entry, it -> part.known().contains(node)
        ? part.types().value(it).map(value -> constant(it, value)).orElseGet(() -> passed(it))
        : passed(it));
    }

    private NodeEntry constant(NodeEntry entry, TensorView value) {
      return Node.constant(name(entry), HeapTensor.copyOf(value)).entry();
    }

    /** An entry as an input of later pieces, and an output of its own. */
    private NodeEntry passed(NodeEntry entry) {
      String name = name(entry);
      add(name, entry);
      return Node.input(name, DeclaredType.OPEN).entry();
    }

    private void add(String name, NodeEntry entry) {
      if (part.known().contains(entry.node())) {
        known.add(new Graph.Output(name, entry));
        bounds.put(name, part.types().type(entry));
      } else {
        open.add(new Graph.Output(name, entry));
        TensorType bound = part.bounds().get(entry);
        if (bound != null) {
          bounds.put(name, bound);
        }
      }
    }

    /** The node itself is in no later piece, so its name is free there. */
    private String name(NodeEntry entry) {
      return entry.index() == 0 ? entry.node().name() : names.unique(entry.node().name() + ":" + entry.index());
    }

    /** The name under which a run holds an output. */
    private String output(NodeEntry entry) {
      if (entry.node().kind() instanceof NodeKind.Input) {
        return entry.node().name();
      }
      NodeEntry place = places.get(entry);
      if (place != null && place.node().kind() instanceof NodeKind.Input) {
        return place.node().name();
      }
      String name = place == null ? name(entry) : names.unique(entry.node().name());
      add(name, entry);
      if (place == null) {
        places.put(entry, Node.input(name, DeclaredType.OPEN).entry());
      }
      return name;
    }

    private Optional<Graph> piece(List<Graph.Output> outputs) {
      if (outputs.isEmpty()) {
        return Optional.empty();
      }
      Set<Node> inputs = new LinkedHashSet<>();
      DepthFirstOrder.of(outputs.stream().map(it -> it.entry().node()).toList()).stream().filter(it -> it
        .kind() instanceof NodeKind.Input).forEach(inputs::add);
      return Optional.of(new Graph(graph.name(), List.copyOf(inputs), outputs));
    }
  }
}
