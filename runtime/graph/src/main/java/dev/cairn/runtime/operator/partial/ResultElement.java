package dev.cairn.runtime.operator.partial;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.graph.PartialType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The element type of a result where no shape is known, and of the operands perhaps their element types. */
public final class ResultElement {
  private ResultElement() {}

  /**
   * The element type that a use's rule tells of a result; empty if it tells none.
   *
   * @param rule of the operator
   * @param result of a node that applies the operator
   * @param operands the element types of operands, as far as they are known
   */
  public static Optional<DType> of(PartialRule rule, NodeEntry result, Function<NodeEntry, Optional<DType>> operands) {
    if (!(result.node().kind() instanceof NodeKind.Apply apply)) {
      return Optional.empty();
    }
    Map<NodeEntry, PartialType> told = new HashMap<>();
    rule.apply(new PartialCall(result.node(), apply.attributes(), new PartialCall.Facts() {
      @Override
      public PartialType type(NodeEntry entry) {
        PartialType known = entry.node().equals(result.node())
          ? PartialType.UNKNOWN
          : operands.apply(entry).map(PartialType::of).orElse(PartialType.UNKNOWN);
        return told.getOrDefault(entry, known);
      }

      @Override
      public Optional<TensorView> value(NodeEntry entry) {
        return Optional.empty();
      }

      @Override
      public void meet(Node teller, NodeEntry entry, PartialType fact) {
        type(entry).meet(fact).ifPresent(both -> told.put(entry, both));
      }
    }));
    return told.getOrDefault(result, PartialType.UNKNOWN).dtype();
  }
}
