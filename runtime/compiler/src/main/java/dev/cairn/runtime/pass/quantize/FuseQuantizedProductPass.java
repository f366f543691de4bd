package dev.cairn.runtime.pass.quantize;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.GemmForm;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.operator.OperatorTrait;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes a product of whole numbers of a product of dequantised operands whose result is quantised:
 *
 * <pre>
 * a = DequantizeLinear(x, xs, xz)
 * b = DequantizeLinear(w, ws, wz)
 * c = DequantizeLinear(bias, xs * ws)     →    y = QLinearConv(x, xs, xz, w, ws, wz, ys, yz, bias)
 * p = Conv(a, b, c)
 * y = QuantizeLinear(p, ys, yz)
 * </pre>
 *
 * {@code MatMul} and {@code Gemm} without factors become {@code QLinearMatMul}. Weights have one scale, or one for each
 * output channel. A {@code Relu} before the quantisation goes when saturation does the same. Results may differ by one
 * unit, because the product is summed and rounded in another way.
 */
public final class FuseQuantizedProductPass implements NodeRule {
  /** How far the scale of a bias may be from the product of the operands' scales. */
  private static final double NEAR = 1e-5;

  @Override
  public String name() {
    return "fuse-quantized-product";
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    if (!old.operator().equals(Quantized.QUANTIZE)) {
      return null;
    }
    NodeEntry product = old.inputs().getFirst();
    Node now = current.inputs().getFirst().node();
    if (isOnlyRead(product, context) && Quantized.result(old).hasRelu(old, context)) {
      product = product.node().inputs().getFirst();
      now = now.inputs().getFirst().node();
    }
    if (!context.has(product.node(), OperatorTrait.PRODUCT) || !isOnlyRead(product, context) || !Quantized.result(old)
      .isOfBytes(context)) {
      return null;
    }
    Optional<Quantized> left = Quantized.dequantized(product.node().inputs().get(0));
    Optional<Quantized> right = Quantized.dequantized(product.node().inputs().get(1));
    if (left.isEmpty() || right.isEmpty() || !left.get().isOfBytes(context) || !hasFittingScales(right.get(),
      product, context)) {
      return null;
    }
    NodeEntry bias = product.node().inputs().size() > 2 ? product.node().inputs().get(2) : Node.absent();
    if (!bias.isAbsent() && !(isForEachChannel(bias, product, context) && isBias(bias, left.get(), right.get(),
      context))) {
      return null;
    }
    List<DType> operands = List.of(context.type(left.get().tensor()).dtype(),
      context.type(right.get().tensor()).dtype());
    return made(old, current, now, operands, context);
  }

  private static boolean isOnlyRead(NodeEntry entry, RewriteContext context) {
    return context.readers(entry) == 1;
  }

  /** One scale, or one for each output channel or column. */
  private static boolean hasFittingScales(Quantized weights, NodeEntry product, RewriteContext context) {
    TensorType type = context.type(weights.tensor());
    Attributes attributes = product.node().kind().attributes();
    boolean isConvolution = product.node().operator().equals(Operators.CONV);
    if (!Quantized.BYTES.contains(type.dtype()) || context.type(weights.scale()).dtype() != DType.FLOAT32 || type
      .shape().rank() < 2 || weights.form().block() != 0 || !isPlain(product.node())) {
      return false;
    }
    boolean isTurned = product.node().operator().equals(Operators.GEMM) && GemmForm.of(attributes).transB();
    int channels = isConvolution || isTurned ? 0 : type.shape().rank() - 1;
    return Quantized.isNumber(weights.scale(), context) || type.shape().axis(weights.form().axis()) == channels;
  }

  private static boolean isPlain(Node product) {
    GemmForm form = GemmForm.of(product.kind().attributes());
    return !product.operator().equals(Operators.GEMM) || (form.hasNoFactors() && !form.transA());
  }

  private static boolean isForEachChannel(NodeEntry bias, NodeEntry product, RewriteContext context) {
    Shape result = context.type(product).shape();
    return context.type(bias).shape().equals(Shape.of(result.extent(product.node().operator().equals(Operators.CONV)
      ? 1
      : -1)));
  }

  /** Whether it is of whole numbers with the product of the operands' scales, one for each channel. */
  private static boolean isBias(NodeEntry bias, Quantized left, Quantized right, RewriteContext context) {
    Optional<Quantized> whole = Quantized.dequantized(bias);
    if (whole.isEmpty() || context.type(whole.get().tensor()).dtype() != DType.INT32) {
      return false;
    }
    Optional<TensorView> zero = Quantized.value(whole.get().zero());
    boolean isZero = whole.get().zero().isAbsent() || zero.filter(view -> LongStream.range(0, view.elementCount())
      .allMatch(i -> view.longAt(i) == 0)).isPresent();
    Optional<TensorView> scale = Quantized.value(whole.get().scale());
    Optional<TensorView> a = Quantized.value(left.scale());
    Optional<TensorView> b = Quantized.value(right.scale());
    return isZero && scale.isPresent() && a.isPresent() && b.isPresent() && isProduct(scale.get(), a.get(), b.get());
  }

  private static boolean isProduct(TensorView product, TensorView left, TensorView right) {
    if (product.elementCount() != right.elementCount() && product.elementCount() != 1 && right.elementCount() != 1) {
      return false;
    }
    for (long i = 0; i < Math.max(product.elementCount(), right.elementCount()); i++) {
      double wanted = left.doubleAt(0) * right.doubleAt(right.elementCount() == 1 ? 0 : i);
      double given = product.doubleAt(product.elementCount() == 1 ? 0 : i);
      if (!(Math.abs(given - wanted) <= NEAR * wanted)) {
        return false;
      }
    }
    return true;
  }

  private static NodeEntry made(Node old, Node current, Node product, List<DType> operands, RewriteContext context) {
    Quantized left = Quantized.dequantized(product.inputs().get(0)).orElseThrow();
    Quantized right = Quantized.dequantized(product.inputs().get(1)).orElseThrow();
    Quantized result = Quantized.result(current);
    NodeEntry weights = right.tensor();
    if (product.operator().equals(Operators.GEMM) && GemmForm.of(product.kind().attributes()).transB()) {
      weights = Node.apply(context.unique(old.name() + "/weights"), Operators.TRANSPOSE, Attributes.NONE.with("perm",
        AttributeValue.Ints.of(1, 0)), List.of(weights)).entry();
    }
    List<NodeEntry> inputs = new ArrayList<>(List.of(left.tensor(), left.scale(), left.zeroOrMade(operands.get(
      0), old, context), weights, right.scale(), right.zeroOrMade(operands.get(1), old, context), result.scale(),
      result.zeroOrMade(context.type(old.entry()).dtype(), old, context)));
    if (product.inputs().size() > 2 && !product.inputs().get(2).isAbsent()) {
      inputs.add(Quantized.dequantized(product.inputs().get(2)).orElseThrow().tensor());
    }
    Node made = product.operator().equals(Operators.CONV)
      ? Node.apply(old.name(), "QLinearConv", product.kind().attributes(), inputs)
      : Node.apply(old.name(), "QLinearMatMul", Attributes.NONE, inputs);
    return made.entry();
  }
}
