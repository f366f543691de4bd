package dev.cairn.runtime.pass.simplify;

import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import org.jspecify.annotations.Nullable;

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
public final class RemoveIdentityPass implements NodeRule {
  @Override
  public String name() {
    return "remove-identity";
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    return NoOperation.is(old, context) ? current.inputs().getFirst() : null;
  }
}
