package dev.cairn.runtime.pass.quantize;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.GemmForm;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.attribute.TransposeForm;
import dev.cairn.kernels.catalog.KernelSignature;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the weights of a product as they are quantised, instead of as real numbers:
 *
 * <pre>
 * w = DequantizeLinear(constant, scales, zeros)
 * y = MatMul(a, w)                               →    y = MatMulNBits(a, bytes, scales, zeros)
 * </pre>
 *
 * Fires for integers of 2 or 4 bits, and for those of 8 bits with scales for blocks of the depth, when nothing else
 * reads {@code w} and the device has the kernel. {@code Gemm} without factors, and a transposition of {@code w}, are
 * taken in. Results differ by how sums are rounded.
 */
public final class FuseWeightOnlyPass implements NodeRule {
  private static final Set<DType> WEIGHTS = Set.of(DType.INT2, DType.UINT2, DType.INT4, DType.UINT4, DType.INT8,
    DType.UINT8);
  static final String OPERATOR = "MatMulNBits";

  private final BiPredicate<String, KernelSignature> serves;

  /** @param serves whether the device has a kernel for an operator with these types */
  public FuseWeightOnlyPass(BiPredicate<String, KernelSignature> serves) {
    this.serves = serves;
  }

  @Override
  public String name() {
    return "fuse-weight-only";
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    boolean isProduct = old.operator().equals(Operators.MATMUL)
      || (old.operator().equals(Operators.GEMM) && isPlain(old, context));
    return isProduct ? fused(old, current, context) : null;
  }

  private static boolean isPlain(Node gemm, RewriteContext context) {
    GemmForm form = GemmForm.of(gemm.kind().attributes());
    boolean hasColumnBias = gemm.inputs().size() < 3 || gemm.inputs().get(2).isAbsent() || context.type(gemm.inputs()
      .get(2)).shape().equals(Shape.of(context.type(gemm.entry()).shape().extent(1)));
    return hasColumnBias && form.hasNoFactors() && !form.transA();
  }

  private @Nullable NodeEntry fused(Node old, Node current, RewriteContext context) {
    NodeEntry right = old.inputs().get(1);
    boolean isTurned = GemmForm.of(old.kind().attributes()).transB();
    if (swapsAxes(right, context) && context.readers(right) == 1) {
      isTurned = !isTurned;
      right = right.node().inputs().getFirst();
    }
    Optional<Quantized> weights = Quantized.dequantized(right);
    if (weights.isEmpty() || context.readers(right) != 1 || context.type(right).shape().rank() != 2
      || context.type(old.inputs()
        .getFirst()).shape().rank() == 0) {
      return null;
    }
    Optional<RepackedWeights> repacked = RepackedWeights.of(weights.get(), isTurned ? 1 : 0);
    return repacked.map(it -> made(old, current, it, context)).orElse(null);
  }

  private static boolean swapsAxes(NodeEntry matrix, RewriteContext context) {
    Attributes attributes = matrix.node().kind().attributes();
    return matrix.node().operator().equals(Operators.TRANSPOSE) && context.type(matrix).shape().rank() == 2
      && TransposeForm.of(attributes).order(2)[0] == 1;
  }

  private @Nullable NodeEntry made(Node old, Node current, RepackedWeights repacked, RewriteContext context) {
    Attributes attributes = repacked.layout().attributes();
    boolean hasBias = old.inputs().size() > 2 && !old.inputs().get(2).isAbsent();
    List<Optional<TensorType>> given = new ArrayList<>(List.of(Optional.of(context.type(old.inputs().getFirst())),
      Optional.of(repacked.bytes().type()), Optional.of(repacked.scales().type()), repacked.zeros().map(
        TensorView::type),
      Optional.empty(), hasBias
        ? Optional.of(context.type(old.inputs().get(2)))
        : Optional
          .empty()));
    TensorType result = context.type(old.entry());
    if (!serves.test(OPERATOR, new KernelSignature(given, List.of(result), attributes))) {
      return null;
    }
    List<NodeEntry> inputs = new ArrayList<>(List.of(current.inputs().getFirst(),
      context.constant(old.name() + "/bytes", repacked.bytes()),
      context.constant(old.name() + "/scales", repacked.scales())));
    inputs.add(repacked.zeros().map(it -> context.constant(old.name() + "/zeros", it)).orElse(Node.absent()));
    inputs.add(Node.absent());
    inputs.add(hasBias ? current.inputs().get(2) : Node.absent());
    while (inputs.getLast().isAbsent()) {
      inputs.removeLast();
    }
    return Node.apply(old.name(), OPERATOR, attributes, inputs).entry();
  }

  /** Whether elements of this type can be weights; of 8 bits, only with scales for blocks. */
  static boolean isWeight(DType dtype, long blockSize) {
    return WEIGHTS.contains(dtype) && (dtype.isPacked() || blockSize > 0);
  }
}
