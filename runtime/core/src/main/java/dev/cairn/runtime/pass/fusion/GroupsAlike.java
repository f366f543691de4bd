package dev.cairn.runtime.pass.fusion;

import dev.cairn.kernels.attribute.PointwiseProgram;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The groups of a fused graph, found again by names in a graph that was not fused yet. What groups hold depends on
 * extents, but a plan that serves several shapes has one set of steps.
 */
final class GroupsAlike {
  private GroupsAlike() {}

  /** @throws IllegalArgumentException when members are missing, or differ in shape */
  static List<FusedGroup> find(Graph fused, Graph graph, GraphTypes types) {
    Map<String, Node> nodes = new HashMap<>();
    graph.nodes().forEach(node -> nodes.put(node.name(), node));
    List<FusedGroup> groups = new ArrayList<>();
    for (Node node : fused.nodes()) {
      if (FusionMap.isFused(node) && FusionMap.stepsOf(node).size() > 1) {
        groups.add(group(node, nodes, types));
      }
    }
    return groups;
  }

  private static FusedGroup group(Node fused, Map<String, Node> nodes, GraphTypes types) {
    List<Node> members = FusionMap.stepsOf(fused).stream().map(name -> Optional.ofNullable(nodes.get(name)).orElseThrow(
      () -> new IllegalArgumentException("the shapes make another graph: missing=" + name))).toList();
    Shape shape = types.type(members.getLast().entry()).shape();
    for (Node member : members) {
      if (!types.type(member.entry()).shape().equals(shape)) {
        throw new IllegalArgumentException(
          "fused for the largest shapes, which these don't allow: node=%s type=%s shape=%s"
            .formatted(member.name(), types.type(member.entry()), shape));
      }
    }
    List<Integer> results = PointwiseProgram.of(fused.kind().attributes()).results();
    return new FusedGroup(members, results.stream().map(members::get).toList());
  }
}
