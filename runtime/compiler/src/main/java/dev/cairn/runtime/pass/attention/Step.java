package dev.cairn.runtime.pass.attention;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.TransposeForm;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One entry while a graph is rewritten.
 *
 * @param old the entry in the old graph, for which types and readers are known
 * @param current the entry that took its place
 */
record Step(NodeEntry old, NodeEntry current) {
  /** The inputs of a node. */
  static Step input(Node old, Node current, int index) {
    return new Step(old.inputs().get(index), current.inputs().get(index));
  }

  Step input(int index) {
    return input(old.node(), current.node(), index);
  }

  /** Whether the entry is the only result of this operator, in the old graph and in the new one. */
  boolean is(String operator) {
    return isResult(old, operator) && isResult(current, operator);
  }

  private static boolean isResult(NodeEntry entry, String operator) {
    return entry.node().kind() instanceof NodeKind.Apply kind && kind.operator().equals(operator) && kind
      .outputs() == 1;
  }

  Attributes attributes() {
    return current.node().kind().attributes();
  }

  Optional<TensorView> constant() {
    return current.node().kind() instanceof NodeKind.Constant(TensorView value) ? Optional.of(value) : Optional.empty();
  }

  /** The only element of a constant. */
  OptionalDouble number() {
    return constant().filter(it -> it.elementCount() == 1 && it.dtype().isFloat()).map(it -> OptionalDouble.of(it
      .doubleAt(0))).orElse(OptionalDouble.empty());
  }

  /** Whether it is a transposition in this order. */
  boolean isTransposed(long... order) {
    return is(Operators.TRANSPOSE) && TransposeForm.of(attributes()).isOrder(order);
  }

  /** An entry transposed in this order; a tensor that was transposed already is transposed only once. */
  static NodeEntry transposed(NodeEntry entry, String name, long... order) {
    long[] all = order.clone();
    NodeEntry from = entry;
    if (entry.node().kind() instanceof NodeKind.Apply kind && kind.operator().equals(Operators.TRANSPOSE)
      && TransposeForm.of(kind.attributes()).isGiven()) {
      long[] before = TransposeForm.of(kind.attributes()).perm();
      for (int i = 0; i < all.length; i++) {
        all[i] = before[(int) order[i]];
      }
      from = entry.node().inputs().get(0);
    }
    for (int i = 0; i < all.length; i++) {
      if (all[i] != i) {
        return Node
          .apply(name, Operators.TRANSPOSE, Attributes.NONE.with("perm", AttributeValue.Ints.of(all)), List.of(from))
          .entry();
      }
    }
    return from;
  }
}
