package dev.cairn.runtime.pass.quantize;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.QuantizedForm;
import dev.cairn.kernels.attribute.QuantizedRange;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.pass.RewriteContext;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A tensor with its scale and zero point: what {@code DequantizeLinear} reads, or {@code QuantizeLinear} with what
 * it makes.
 *
 * @param zero absent for no zero point
 * @param attributes axis and block of the scales
 */
record Quantized(NodeEntry tensor, NodeEntry scale, NodeEntry zero, Attributes attributes) {
  static final String DEQUANTIZE = "DequantizeLinear";
  static final String QUANTIZE = "QuantizeLinear";
  static final Set<DType> BYTES = Set.of(DType.INT8, DType.UINT8);

  /** The input of a node that dequantises; empty for other nodes. */
  static Optional<Quantized> dequantized(NodeEntry entry) {
    Node node = entry.node();
    return node.operator().equals(DEQUANTIZE) && QuantizedForm.of(node.kind().attributes()).dtype().isEmpty()
      ? Optional.of(of(node, node.inputs().getFirst()))
      : Optional.empty();
  }

  /** The result of a node that quantises. */
  static Quantized result(Node node) {
    return of(node, node.entry());
  }

  private static Quantized of(Node node, NodeEntry tensor) {
    NodeEntry zero = node.inputs().size() > 2 ? node.inputs().get(2) : Node.absent();
    return new Quantized(tensor, node.inputs().get(1), zero, node.kind().attributes());
  }

  /** Whether it has 8 bits and one scale of {@code float32}. */
  boolean isOfBytes(RewriteContext context) {
    return BYTES.contains(context.type(tensor).dtype()) && isNumber(scale, context);
  }

  static boolean isNumber(NodeEntry scale, RewriteContext context) {
    TensorType type = context.type(scale);
    return type.dtype() == DType.FLOAT32 && type.shape().elementCount() == 1;
  }

  /** Whether the one scale is a positive number that is known. */
  boolean isPositive() {
    return value(scale).map(it -> it.doubleAt(0)).filter(it -> it > 0 && it <= Float.MAX_VALUE).isPresent();
  }

  /** Whether a {@code Relu} comes before this result, and 0 is the least number of it, so that saturation does both. */
  boolean hasRelu(Node quantize, RewriteContext context) {
    if (!quantize.inputs().getFirst().node().operator().equals(Operators.RELU) || !isOfBytes(context)
      || !isPositive()) {
      return false;
    }
    int least = QuantizedRange.of(context.type(tensor).dtype()).least();
    return zero.isAbsent() ? least == 0 : value(zero).filter(it -> it.longAt(0) == least).isPresent();
  }

  /** The zero point, or one that is made for a node. */
  NodeEntry zeroOrMade(DType dtype, Node node, RewriteContext context) {
    return zero.isAbsent()
      ? context.constant(node.name() + "/zero", new TensorView(TensorType.of(dtype, 1), MemorySegment.ofArray(
        new byte[1])))
      : zero;
  }

  /** Whether all elements certainly have the same scales and zero points as those of another tensor. */
  boolean hasParametersOf(Quantized other) {
    return areEqual(scale, other.scale) && areEqual(zero, other.zero) && form().axis() == other.form().axis()
      && form().block() == other.form().block();
  }

  QuantizedForm form() {
    return QuantizedForm.of(attributes);
  }

  private static boolean areEqual(NodeEntry one, NodeEntry other) {
    return one.equals(other) || (one.isAbsent() && other.isAbsent()) || value(one).flatMap(a -> value(other).map(b -> a
      .type().equals(b.type()) && a.segment().mismatch(b.segment()) == -1)).orElse(false);
  }

  /** The value of a constant. */
  static Optional<TensorView> value(NodeEntry entry) {
    return entry.node().kind() instanceof NodeKind.Constant(TensorView value) ? Optional.of(value) : Optional.empty();
  }

  /** A node that dequantises another tensor with the scale and zero point of this one. */
  Node dequantize(String name, NodeEntry other, Attributes changed) {
    var inputs = zero.isAbsent() ? List.of(other, scale) : List.of(other, scale, zero);
    return Node.apply(name, DEQUANTIZE, changed, inputs);
  }
}
