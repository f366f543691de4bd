package dev.cairn.runtime.pass.control;

import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphCopy;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.NodeNames;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides control flow that is the same in every run: an {@code If} whose condition is known becomes the nodes of its
 * branch, and a loop of few trips becomes the nodes of each trip.
 *
 * <pre>
 * c = constant bool[scalar]              t = Relu(x)
 * y = If(c, x)                           return y=t
 *   then                            →
 *     a = parameter
 *     t = Relu(a)
 *     return t=t
 *   else ...
 * return y=y
 * </pre>
 */
public final class ResolveControlPass implements Pass {
  @Override
  public String name() {
    return "resolve-control";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    if (graph.nodes().stream().noneMatch(node -> node.kind() instanceof NodeKind.Control)) {
      return graph;
    }
    NodeNames names = NodeNames.of(graph);
    GraphTypes types = context.types();
    return GraphRewriter.rewrite(graph, (old, current) -> switch (current.kind()) {
      case NodeKind.Branch branch -> resolved(branch, types.value(old.inputs().get(0)), current, names);
      case NodeKind.Repeat repeat when types.trips(old).isPresent() ->
        new Unrolling(old, current, repeat, types, names).of(types.trips(old).getAsInt());
      default -> current.entries();
    });
  }

  private static List<NodeEntry> resolved(NodeKind.Branch branch, Optional<TensorView> condition, Node node,
    NodeNames names) {
    if (condition.isEmpty()) {
      return node.entries();
    }
    Graph taken = condition.get().longAt(0) != 0 ? branch.then() : branch.otherwise();
    return GraphCopy.of(taken, node.inputs().subList(1, node.inputs().size()), names::unique);
  }
}
