package dev.cairn.conformance;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A graph and its inputs, of which those that a shape depends on become constants, one fault of inference after
 * another:
 *
 * <pre>
 * x = input float32[2x3]                       x = input float32[2x3]
 * shape = input int64[2]                  →    shape_1 = constant int64[2]
 * y = Reshape(x, shape)                        y = Reshape(x, shape_1)
 * </pre>
 */
final class ShapeInputs {
  /** A shape, axes, repeats: never more elements than this. */
  private static final long MOST_ELEMENTS = 64;
  private static final Pattern VALUE_WANTED = Pattern.compile("only known when the model runs: input=(\\d+)");
  /** What needs no value of its input. */
  private static final Set<String> ASK_FOR_TYPES_ONLY = Set.of("Shape", "Size");

  private final Map<String, TensorView> inputs;
  private final Set<String> fixed = new TreeSet<>();
  private Graph graph;

  /** A shape depends on an input that is no small list: such a model cannot be planned before it runs. */
  static final class ValueNeeded extends RuntimeException {
    private static final long serialVersionUID = 1;

    ValueNeeded(Node reader) {
      super("a shape depends on data: node=%s operator=%s".formatted(reader.name(), reader.operator()));
    }
  }

  ShapeInputs(Graph graph, Map<String, TensorView> inputs) {
    this.graph = graph;
    this.inputs = new LinkedHashMap<>(inputs);
  }

  Graph graph() {
    return graph;
  }

  /** Values of the inputs that are left. */
  Map<String, TensorView> inputs() {
    return inputs;
  }

  /** Names of the inputs that are constants now. */
  Set<String> names() {
    return fixed;
  }

  /**
   * Makes constants of the inputs that this fault is about.
   *
   * @return false when it is about something else
   * @throws ValueNeeded when one of them is data rather than a shape
   */
  boolean fix(InvalidGraph fault) {
    Matcher wanted = VALUE_WANTED.matcher(String.valueOf(fault.getMessage()));
    if (!wanted.find()) {
      return false;
    }
    Node reader = graph.nodes().stream().filter(node -> node.name().equals(fault.node())).findFirst().orElse(null);
    if (reader == null) {
      return false; // in a body
    }
    Set<Node> deciding = decidingInputs(reader.inputs().get(Integer.parseInt(wanted.group(1))));
    for (Node input : deciding) {
      if (value(input).elementCount() > MOST_ELEMENTS) {
        throw new ValueNeeded(reader);
      }
    }
    deciding.forEach(this::replace);
    return !deciding.isEmpty();
  }

  /** The graph's inputs that an entry's value comes from. */
  private static Set<Node> decidingInputs(NodeEntry entry) {
    Set<Node> deciding = new LinkedHashSet<>();
    Set<Node> seen = new HashSet<>();
    var open = new ArrayDeque<Node>();
    open.push(entry.node());
    while (!open.isEmpty()) {
      Node node = open.pop();
      if (seen.add(node)) {
        if (node.kind() instanceof NodeKind.Input) {
          deciding.add(node);
        } else if (!ASK_FOR_TYPES_ONLY.contains(node.operator())) {
          node.inputs().forEach(input -> open.push(input.node()));
        }
      }
    }
    return deciding;
  }

  private void replace(Node input) {
    Node constant = Node.constant(NodeNames.of(graph).unique(input.name()), value(input));
    Map<Node, Node> places = new HashMap<>(Map.of(input, constant));
    Graph changed = GraphRewriter.rewrite(graph, (old, current) -> {
      List<NodeEntry> read = moved(current.inputs(), places);
      return (read.equals(current.inputs()) ? current : switch (current.kind()) {
        case NodeKind.Apply kind -> Node.apply(current.name(), kind, read);
        case NodeKind.Control kind -> Node.control(current.name(), kind, read);
        default -> current;
      }).entries();
    });
    List<Node> left = new ArrayList<>(graph.inputs());
    left.remove(input);
    graph = new Graph(graph.name(), left, changed.outputs());
    inputs.remove(input.name());
    fixed.add(input.name());
  }

  private static List<NodeEntry> moved(List<NodeEntry> entries, Map<Node, Node> places) {
    return entries.stream().map(entry -> {
      Node place = places.get(entry.node());
      return place == null ? entry : place.entry();
    }).toList();
  }

  private TensorView value(Node input) {
    TensorView value = inputs.get(input.name());
    if (value == null) {
      throw new AssertionError("an input without a value: input=" + input.name());
    }
    return value;
  }
}
