package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.EinsumEquation;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Computes an {@code Einsum} of several operands as products of two, in the order with the fewest multiplications:
 *
 * <pre>
 * y = Einsum{equation="ij,jk,kl->il"}(a, b, c)      →      t = MatMul(a, b)
 *                                                          y = MatMul(t, c)
 * </pre>
 *
 * {@link ContractionOrder} chooses the order, {@link PairwiseContraction} makes the nodes. Of 16 bits, products are
 * computed in {@code float32}, so that only the result is rounded.
 */
public final class ContractEinsumPass implements NodeRule {
  private static final Set<DType> MULTIPLIED = Set.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16, DType.BFLOAT16,
    DType.INT32, DType.INT64);

  @Override
  public String name() {
    return "contract-einsum";
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    if (!(old.kind() instanceof NodeKind.Apply apply) || !apply.operator().equals("Einsum") || old.inputs().size() < 2
      || !MULTIPLIED.contains(context.type(old.inputs().getFirst()).dtype())) {
      return null;
    }
    List<Shape> shapes = old.inputs().stream().map(it -> context.type(it).shape()).toList();
    if (shapes.stream().anyMatch(it -> it.elementCount() == 0)) {
      return null;
    }
    EinsumEquation equation = EinsumEquation.of(EinsumEquation.text(apply.attributes()), shapes);
    List<Set<Integer>> axes = IntStream.range(0, shapes.size()).mapToObj(i -> PairwiseContraction.axes(equation, i))
      .toList();
    ContractionOrder order = ContractionOrder.of(axes, equation);
    return new PairwiseContraction(old.name(), equation, order, context).of(current.inputs(), context.type(old.inputs()
      .getFirst()).dtype());
  }
}
