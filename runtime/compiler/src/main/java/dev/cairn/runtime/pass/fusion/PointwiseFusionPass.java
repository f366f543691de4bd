package dev.cairn.runtime.pass.fusion;

import dev.cairn.runtime.graph.AssignOrder;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.OperatorTable;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;

/**
 * Makes one node of neighbours that compute each element by itself; after NNVM's GraphCompile and MXNet's pointwise
 * fusion.
 *
 * <pre>
 * c = Conv(x, w)                 c = Conv(x, w)
 * a = Add(c, r)             →    y = FusedPointwise{%0 = Add(x0, x1) …; %1 = Relu(%0) …; return %1}(c, r)
 * y = Relu(a)                    return y=y
 * return y=y
 * </pre>
 */
public final class PointwiseFusionPass implements Pass {
  private final BiFunction<Graph, GraphTypes, List<FusedGroup>> search;

  private PointwiseFusionPass(BiFunction<Graph, GraphTypes, List<FusedGroup>> search) {
    this.search = search;
  }

  /** @param serves whether the device has a kernel for a node as it is */
  public PointwiseFusionPass(OperatorTable operators, BiPredicate<Node, GraphTypes> serves) {
    this((graph, types) -> PointwiseGroups.find(graph, types, operators, node -> serves.test(node, types)));
  }

  /**
   * A pass that makes the same groups as in another graph, which differed only in extents before fusion.
   *
   * @throws IllegalArgumentException by {@link #apply}, when the graph cannot have them
   */
  public static PointwiseFusionPass like(Graph fused) {
    return new PointwiseFusionPass((graph, types) -> GroupsAlike.find(fused, graph, types));
  }

  @Override
  public String name() {
    return "pointwise-fusion";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph given, PassContext context) {
    GraphTypes types = context.types();
    // Otherwise an early assign of one result would keep this result out of the group of the others.
    Graph graph = given.assigns().isEmpty() ? given : AssignOrder.withLateAssigns(given);
    List<FusedGroup> groups = search.apply(graph, types);
    if (groups.isEmpty()) {
      return given;
    }
    Map<NodeEntry, NodeEntry> updated = new HashMap<>();
    graph.assigns().forEach(assign -> updated.put(assign.inputs().get(1), assign.inputs().get(0)));
    Map<Node, FusedGroup> groupOf = new HashMap<>();
    groups.forEach(group -> group.members().forEach(member -> groupOf.put(member, group)));
    Map<NodeEntry, NodeEntry> moved = new HashMap<>();
    return GraphRewriter.rewrite(sideBySide(graph, groupOf), (old, current) -> {
      FusedGroup group = groupOf.get(old);
      if (group != null && group.members().getFirst() == old) {
        Node fused = group.fused(types, updated, entry -> moved.getOrDefault(entry, entry));
        for (int i = 0; i < group.results().size(); i++) {
          moved.put(group.results().get(i).entry(), fused.entry(i));
        }
      }
      if (group != null) {
        // Nodes that only their own group reads are not in the new graph.
        return List.of(moved.getOrDefault(old.entry(), current.entry()));
      }
      List<NodeEntry> place = current.entries();
      for (int i = 0; i < place.size(); i++) {
        moved.put(old.entry(i), place.get(i));
      }
      return place;
    });
  }

  /** The graph with each group's members right before its last one, so that whatever they read comes before them. */
  private static Graph sideBySide(Graph graph, Map<Node, FusedGroup> groupOf) {
    Map<Node, Integer> positions = new HashMap<>();
    graph.nodes().forEach(node -> positions.put(node, positions.size()));
    List<Node> order = new ArrayList<>(graph.nodes());
    order.sort(Comparator.comparing(node -> {
      FusedGroup group = groupOf.get(node);
      return positions.getOrDefault(group == null ? node : group.members().getLast(), -1);
    }));
    return graph.inOrder(order);
  }
}
