package dev.cairn.runtime.pass.quantize;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.TransposeForm;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.operator.OperatorTrait;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Moves quantised elements instead of real ones, when the operator only moves elements or takes the largest:
 *
 * <pre>
 * d = DequantizeLinear(x, scale, zero)         t = Transpose(x)
 * y = Transpose(d)                       →     y = DequantizeLinear(t, scale, zero)
 * </pre>
 *
 * Fires when nothing else reads {@code d}. Scales are single numbers, except for a transposition, which also moves the
 * axis of the scales. All inputs of {@code Concat} have equal scales. Results have the same bits.
 */
public final class MoveQuantizedPass implements NodeRule {
  @Override
  public String name() {
    return "move-quantized";
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    if (!isMove(current, context)) {
      return null;
    }
    int operands = current.operator().equals(Operators.CONCAT) ? current.inputs().size() : 1;
    List<NodeEntry> inputs = new ArrayList<>(current.inputs());
    Quantized first = null;
    for (int i = 0; i < operands; i++) {
      Optional<Quantized> operand = Quantized.dequantized(current.inputs().get(i));
      if (operand.isEmpty() || !isOfBytes(old.inputs().get(i), context) || context.readers(old.inputs().get(i)) != 1
        || (first != null && !first.hasParametersOf(operand
          .get()))) {
        return null;
      }
      first = first == null ? operand.get() : first;
      inputs.set(i, operand.get().tensor());
    }
    Optional<Attributes> attributes = first == null ? Optional.empty() : attributes(first, old, current, context);
    if (attributes.isEmpty() || first == null || !(current.kind() instanceof NodeKind.Apply kind)) {
      return null;
    }
    Node move = Node.apply(context.unique(current.name() + "/quantized"), kind, inputs);
    return first.dequantize(current.name(), move.entry(), attributes.get()).entry();
  }

  /** Whether 8-bit numbers were dequantised, and perhaps moved: all these operators have kernels for them. */
  private static boolean isOfBytes(NodeEntry operand, RewriteContext context) {
    NodeEntry first = operand;
    while (isMove(first.node(), context)) {
      first = first.node().inputs().getFirst();
    }
    return Quantized.dequantized(first).filter(it -> Quantized.BYTES.contains(context.type(it.tensor()).dtype()))
      .isPresent();
  }

  private static boolean isMove(Node node, RewriteContext context) {
    return node.kind().outputs() == 1 && context.has(node, OperatorTrait.MOVES_QUANTIZED);
  }

  /** How the result is dequantised; empty when it is not as its operand was. */
  private static Optional<Attributes> attributes(Quantized operand, Node old, Node current, RewriteContext context) {
    long rank = context.type(old.inputs().getFirst()).shape().rank();
    Optional<Long> scales = Quantized.value(operand.scale()).map(it -> it.elementCount());
    if (scales.isEmpty()) {
      return Optional.empty();
    }
    if (scales.get() == 1) {
      boolean isPositive = Quantized.value(operand.scale()).orElseThrow().doubleAt(0) > 0;
      return isPositive ? Optional.of(Attributes.NONE) : Optional.empty();
    }
    long[] order = TransposeForm.of(current.kind().attributes()).perm();
    if (!current.operator().equals(Operators.TRANSPOSE) || order.length != rank || operand.form().block() != 0) {
      return Optional.empty();
    }
    long axis = operand.form().axis();
    for (int i = 0; i < order.length; i++) {
      if (order[i] == (axis < 0 ? axis + rank : axis)) {
        return Optional.of(Attributes.NONE.with("axis", i));
      }
    }
    return Optional.empty();
  }
}
