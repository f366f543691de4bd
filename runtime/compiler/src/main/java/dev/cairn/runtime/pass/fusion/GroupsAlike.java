package dev.cairn.runtime.pass.fusion;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the groups of a fused graph again, by names, in a graph that is not fused yet. Which nodes a group holds
 * depends on extents, but a plan that serves several shapes has one set of steps.
 */
final class GroupsAlike {
  private GroupsAlike() {}

  /** @throws IllegalArgumentException when members are missing, or differ in shape */
  static List<FusedGroup> find(Graph fused, Graph graph, GraphTypes types) {
    var nodes = new NodesByName(graph, types);
    List<FusedGroup> groups = new ArrayList<>();
    for (Node node : fused.nodes()) {
      if (FusionMap.isFused(node) && FusionMap.stepsOf(node).size() > 1) {
        groups.add(group(node, nodes, types));
      }
    }
    return groups;
  }

  private static FusedGroup group(Node fused, NodesByName nodes, GraphTypes types) {
    List<Node> members = FusionMap.stepsOf(fused).stream().map(nodes::find).toList();
    Shape shape = types.type(members.getLast().entry()).shape();
    members.forEach(member -> nodes.requireShape(member, shape));
    List<Integer> results = PointwiseProgram.of(fused.kind().attributes()).results();
    return new FusedGroup(members, results.stream().map(members::get).toList());
  }
}
