package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fuses SiLU, which exporters write as two nodes, into one:
 *
 * <pre>
 * s = Sigmoid(x)
 * y = Mul(x, s)      →    y = Swish(x)
 * </pre>
 *
 * Only where nothing else reads {@code s}, and both are to compute in the same type. The result has the bits of the two
 * nodes, but of 16 bits it is rounded once instead of twice.
 */
public final class FuseSwishPass implements NodeRule {
  @Override
  public String name() {
    return "fuse-swish";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of();
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    if (!old.operator().equals(Operators.MUL)) {
      return null;
    }
    for (int i = 0; i < 2; i++) {
      NodeEntry sigmoid = old.inputs().get(1 - i);
      if (sigmoid.node().operator().equals("Sigmoid") && context.readers(sigmoid) == 1
        && sigmoid.node().notes().mayJoin(old.notes())
        && sigmoid.node().inputs().getFirst().equals(old.inputs().get(i))) {
        return Node.apply(old.name(), "Swish", Attributes.NONE, List.of(current.inputs().get(i))).entry();
      }
    }
    return null;
  }
}
