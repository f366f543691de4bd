package dev.cairn.runtime.pass.simplify;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import dev.cairn.runtime.pass.Readers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Takes out nodes that hand their first input on unchanged: {@code Identity}, {@code Dropout} at inference when its
 * mask is not read, and {@code Cast}, {@code Reshape}, {@code Transpose}, {@code Pad}, {@code Slice}, {@code Expand}
 * and their like where types and known values prove that they do nothing.
 *
 * <pre>
 * d = Dropout(x, ratio)            y = Relu(x)
 * c = Cast{to="float32"}(d)   →    return y=y
 * y = Relu(c)
 * return y=y
 * </pre>
 *
 * An output of the graph that was such a node then names the input of the node, which may be an input of the graph.
 */
public final class RemoveIdentityPass implements Pass {
  @Override
  public String name() {
    return "remove-identity";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    var noOperation = new NoOperation(context.types(), new Readers(graph));
    return GraphRewriter.rewrite(graph, (old, current) -> noOperation.isOne(old)
      ? withFirst(current, current.inputs().get(0))
      : GraphRewriter.entries(current));
  }

  /** The other results are not read, so that giving the node's own keeps nothing alive. */
  private static List<NodeEntry> withFirst(Node node, NodeEntry first) {
    var place = new ArrayList<>(GraphRewriter.entries(node));
    place.set(0, first);
    return place;
  }
}
