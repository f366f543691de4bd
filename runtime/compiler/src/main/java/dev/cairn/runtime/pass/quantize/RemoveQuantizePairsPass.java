package dev.cairn.runtime.pass.quantize;

import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Removes a quantisation of what was quantised alike before:
 *
 * <pre>
 * d = DequantizeLinear(x, scale, zero)
 * q = QuantizeLinear(d, scale, zero)     →    q = x
 * </pre>
 */
public final class RemoveQuantizePairsPass implements NodeRule {
  @Override
  public String name() {
    return "remove-quantize-pairs";
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    if (!old.operator().equals(Quantized.QUANTIZE)) {
      return null;
    }
    Optional<Quantized> before = Quantized.dequantized(current.inputs().getFirst());
    Optional<Quantized> known = Quantized.dequantized(old.inputs().getFirst());
    boolean isPair = before.isPresent() && known.isPresent() && before.get().hasParametersOf(Quantized.result(current))
      && context.type(known.get().tensor()).equals(context.type(old.entry()));
    return isPair ? before.get().tensor() : null;
  }
}
