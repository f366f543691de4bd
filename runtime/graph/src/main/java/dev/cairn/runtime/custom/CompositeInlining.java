package dev.cairn.runtime.custom;

import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.expression.NodeMaker;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.InvalidGraph;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts other operators in the place of composites, also in bodies, and in composites that use composites. */
final class CompositeInlining {
  private final Map<String, CompositeOperator> composites;

  CompositeInlining(Map<String, CompositeOperator> composites) {
    this.composites = composites;
  }

  /**
   * The graph without composites; the same object if it has none.
   *
   * @throws InvalidGraph when a use does not fit its operator, the operator's body fails, or operators contain each
   *   other
   */
  Graph of(Graph graph) {
    if (composites.isEmpty()) {
      return graph;
    }
    var trails = new HashMap<String, Set<String>>();
    Graph now = graph;
    while (true) {
      Graph before = now;
      NodeNames names = NodeNames.of(before);
      now = GraphRewriter.rewrite(before, (_, current) -> place(current, names, trails));
      if (now.equals(before)) {
        return now;
      }
    }
  }

  /** @param trails by the name of a node: the composites whose bodies it comes from */
  private List<NodeEntry> place(Node node, NodeNames names, Map<String, Set<String>> trails) {
    return switch (node.kind()) {
      case NodeKind.Apply kind when composites.containsKey(kind.operator()) -> results(node, Objects.requireNonNull(
        composites.get(kind.operator())), kind, names, trails);
      case NodeKind.Control control -> {
        List<Graph> bodies = control.bodies().stream().map(this::of).toList();
        yield (bodies.equals(control.bodies())
          ? node
          : Node.control(node.name(), control.withBodies(bodies), node.inputs())).entries();
      }
      default -> node.entries();
    };
  }

  private static List<NodeEntry> results(Node node, CompositeOperator operator, NodeKind.Apply use, NodeNames names,
    Map<String, Set<String>> trails) {
    Set<String> trail = new LinkedHashSet<>(trails.getOrDefault(node.name(), Set.of()));
    if (!trail.add(operator.name())) {
      throw new InvalidGraph(node.name(), "composite operators contain each other: operators=" + trail);
    }
    NodeMaker maker = NodeMaker.named(name -> {
      String unique = names.unique(node.name() + "/" + name);
      trails.put(unique, trail);
      return unique;
    });
    List<@Nullable GraphExpression> inputs = new ArrayList<>();
    for (NodeEntry input : node.inputs()) {
      inputs.add(input.isAbsent() ? null : new GraphExpression(input, maker));
    }
    try {
      return operator.results(inputs, use.attributes(), use.outputs()).stream().map(GraphExpression::entry).toList();
    } catch (RuntimeException e) {
      var fault = new InvalidGraph(node.name(),
        "%s cannot be replaced by other operators: %s".formatted(operator.name(),
          Objects.requireNonNullElse(e.getMessage(), e)));
      fault.initCause(e);
      throw fault;
    }
  }
}
