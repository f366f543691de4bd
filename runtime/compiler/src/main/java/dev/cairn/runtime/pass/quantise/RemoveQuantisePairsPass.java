package dev.cairn.runtime.pass.quantise;

import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes a quantisation of what was quantised alike before:
 *
 * <pre>
 * d = DequantizeLinear(x, scale, zero)
 * q = QuantizeLinear(d, scale, zero)     →    q = x
 * </pre>
 */
public final class RemoveQuantisePairsPass implements Pass {
  @Override
  public String name() {
    return "remove-quantise-pairs";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    return GraphRewriter.rewrite(graph, (old, current) -> rewrite(old, current, context.types()));
  }

  private static List<NodeEntry> rewrite(Node old, Node current, GraphTypes types) {
    if (!old.operator().equals(Quantised.QUANTIZE)) {
      return GraphRewriter.entries(current);
    }
    Optional<Quantised> before = Quantised.dequantised(current.inputs().getFirst());
    Optional<Quantised> known = Quantised.dequantised(old.inputs().getFirst());
    boolean isPair = before.isPresent() && known.isPresent() && before.get().hasParametersOf(Quantised.result(current))
      && types.type(known.get().tensor()).equals(types.type(old.entry()));
    return isPair ? List.of(before.get().tensor()) : GraphRewriter.entries(current);
  }
}
