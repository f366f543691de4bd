package dev.cairn.runtime.pass.quantize;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.AxisForm;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Computes sums, products of elements, averages and softmax of quantised tensors without real tensors in between:
 *
 * <pre>
 * a = DequantizeLinear(x, xs, xz)
 * b = DequantizeLinear(r, rs, rz)
 * s = Add(a, b)                       →    y = QLinearAdd(x, xs, xz, r, rs, rz, ys, yz)
 * y = QuantizeLinear(s, ys, yz)
 * </pre>
 *
 * Fires for tensors of 8 bits with one scale each, when nothing else reads {@code s} and the device has the kernel. A
 * {@code Relu} before the quantisation goes when saturation does the same. Sums and products have the same bits.
 * Averages and softmax may differ by one unit, because they are rounded fewer times.
 */
final class FuseQuantizedOperatorPass implements NodeRule {
  private final BiPredicate<String, KernelSignature> serves;

  /** @param serves whether the device has a kernel for an operator with these types */
  FuseQuantizedOperatorPass(BiPredicate<String, KernelSignature> serves) {
    this.serves = serves;
  }

  @Override
  public String name() {
    return "fuse-quantized-operator";
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    if (!old.operator().equals(Quantized.QUANTIZE)) {
      return null;
    }
    Quantized result = Quantized.result(old);
    boolean isRelu = result.hasRelu(old, context) && context.readers(old.inputs().getFirst()) == 1;
    Node real = operator(old, isRelu);
    Node now = operator(current, isRelu);
    Optional<String> name = context.row(real).flatMap(QLinearOperators::of);
    if (name.isEmpty() || !result.isOfBytes(context) || context.readers(real.entry()) != 1
      || result.form().precision().isPresent()) {
      return null;
    }
    List<NodeEntry> inputs = new ArrayList<>();
    List<TensorType> given = new ArrayList<>();
    for (int i = 0; i < real.inputs().size(); i++) {
      Optional<Quantized> operand = Quantized.dequantized(real.inputs().get(i));
      if (operand.isEmpty() || !operand.get().isOfBytes(context) || (isSoftmax(real) && !operand.get().isPositive())) {
        return null;
      }
      Quantized read = Quantized.dequantized(now.inputs().get(i)).orElseThrow();
      TensorType type = context.type(operand.get().tensor());
      inputs.addAll(List.of(read.tensor(), read.scale(), read.zeroOrMade(type.dtype(), old, context)));
      given.addAll(List.of(type, context.type(operand.get().scale()), TensorType.of(type.dtype(), 1)));
    }
    Quantized written = Quantized.result(current);
    TensorType type = context.type(old.entry());
    inputs.addAll(List.of(written.scale(), written.zeroOrMade(type.dtype(), old, context)));
    given.addAll(List.of(context.type(result.scale()), TensorType.of(type.dtype(), 1)));
    Attributes attributes = real.kind().attributes();
    return isAlongLastAxis(real, context)
      && serves.test(name.get(), KernelSignature.of(given, List.of(type), attributes))
        ? Node.apply(old.name(), name.get(), attributes, inputs).entry()
        : null;
  }

  private static Node operator(Node quantize, boolean hasRelu) {
    Node real = quantize.inputs().getFirst().node();
    return hasRelu ? real.inputs().getFirst().node() : real;
  }

  private static boolean isSoftmax(Node real) {
    return real.operator().equals(Operators.SOFTMAX);
  }

  private static boolean isAlongLastAxis(Node real, RewriteContext context) {
    int rank = context.type(real.entry()).shape().rank();
    long axis = AxisForm.ofLines(real.kind().attributes()).axis();
    return !isSoftmax(real) || (rank > 0 && (axis == -1 || axis == rank - 1));
  }
}
