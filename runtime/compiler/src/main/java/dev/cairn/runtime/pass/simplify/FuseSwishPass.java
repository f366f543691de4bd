package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import dev.cairn.runtime.pass.Readers;
import java.util.List;
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
public final class FuseSwishPass implements Pass {
  @Override
  public String name() {
    return "fuse-swish";
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    var readers = new Readers(graph);
    return GraphRewriter.rewrite(graph, (old, current) -> {
      NodeEntry x = operand(old, current, readers);
      return GraphRewriter.entries(x == null
        ? current
        : Node.apply(old.name(), "Swish", Attributes.NONE, List.of(x)));
    });
  }

  /** What the rewritten node multiplies with its sigmoid; null for another node. */
  private static @Nullable NodeEntry operand(Node old, Node current, Readers readers) {
    if (!old.operator().equals("Mul")) {
      return null;
    }
    for (int i = 0; i < 2; i++) {
      NodeEntry sigmoid = old.inputs().get(1 - i);
      if (sigmoid.node().operator().equals("Sigmoid") && readers.of(sigmoid) == 1 && sigmoid.node().notes().mayJoin(old
        .notes()) && sigmoid.node().inputs().getFirst().equals(old.inputs().get(i))) {
        return current.inputs().get(i);
      }
    }
    return null;
  }
}
