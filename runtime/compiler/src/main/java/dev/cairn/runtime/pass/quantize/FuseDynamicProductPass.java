package dev.cairn.runtime.pass.quantize;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes one node of a product of whole numbers and what scales it, as exporters of dynamically quantised models write
 * it:
 *
 * <pre>
 * p = MatMulInteger(a, b, az, bz)
 * c = Cast{to="float32"}(p)
 * s = Mul(as, bs)                     →    y = MatMulIntegerToFloat(a, b, as, bs, az, bz, bias)
 * m = Mul(c, s)
 * y = Add(m, bias)
 * </pre>
 *
 * Factors and summands may be in any order. The quantised operand, which {@code DynamicQuantizeLinear} made, keeps its
 * other readers. The bias may be missing, or be another shape; then the {@code Add} stays. Results have the same bits.
 */
public final class FuseDynamicProductPass implements NodeRule {
  private static final String FUSED = "MatMulIntegerToFloat";
  private static final int BIAS = 6;

  @Override
  public String name() {
    return "fuse-dynamic-product";
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    return switch (old.operator()) {
      case Operators.MUL -> scaled(old, current, context);
      case Operators.ADD -> withBias(old, current, context);
      default -> null;
    };
  }

  private static @Nullable NodeEntry scaled(Node old, Node current, RewriteContext context) {
    for (int i = 0; i < 2; i++) {
      NodeEntry cast = old.inputs().get(i);
      NodeEntry scale = old.inputs().get(1 - i);
      if (isOnlyRead(cast, Operators.CAST, context)
        && isOnlyRead(cast.node().inputs().getFirst(), Operators.MATMUL_INTEGER, context)
        && areMatrices(cast.node().inputs().getFirst().node(), context) && scale.node().operator().equals(Operators.MUL)
        && context.type(old.entry()).equals(context.type(cast)) && isSingle(old.entry(), context)) {
        Node product = current.inputs().get(i).node().inputs().getFirst().node();
        NodeEntry made = fused(old, product, scale.node(), current.inputs().get(1 - i).node(), context);
        if (made != null) {
          return made;
        }
      }
    }
    return null;
  }

  private static boolean isOnlyRead(NodeEntry entry, String operator, RewriteContext context) {
    return entry.node().operator().equals(operator) && context.readers(entry) == 1;
  }

  private static boolean areMatrices(Node product, RewriteContext context) {
    return product.inputs().subList(0, 2).stream().allMatch(it -> context.type(it).shape().rank() > 1);
  }

  private static boolean isSingle(NodeEntry entry, RewriteContext context) {
    return context.type(entry).dtype() == DType.FLOAT32;
  }

  /** @param oldScale the product of scales; one of them is a single number, the other may be one for each column */
  private static @Nullable NodeEntry fused(Node old, Node product, Node oldScale, Node scale, RewriteContext context) {
    Shape result = context.type(old.entry()).shape();
    long columns = result.rank() < 2 ? 1 : result.extent(-1);
    for (int i = 0; i < 2; i++) {
      Shape left = context.type(oldScale.inputs().get(i)).shape();
      Shape right = context.type(oldScale.inputs().get(1 - i)).shape();
      if (left.elementCount() == 1 && (right.elementCount() == 1 || right.equals(Shape.of(columns)))) {
        List<NodeEntry> inputs = new ArrayList<>(product.inputs().subList(0, 2));
        inputs.add(scale.inputs().get(i));
        inputs.add(scale.inputs().get(1 - i));
        inputs.addAll(product.inputs().subList(2, product.inputs().size()));
        return Node.apply(old.name(), FUSED, Attributes.NONE, inputs).entry();
      }
    }
    return null;
  }

  private static @Nullable NodeEntry withBias(Node old, Node current, RewriteContext context) {
    for (int i = 0; i < 2; i++) {
      Node product = current.inputs().get(i).node();
      TensorType bias = context.type(old.inputs().get(1 - i));
      TensorType result = context.type(old.entry());
      if (product.operator().equals(FUSED) && context.readers(old.inputs().get(i)) == 1
        && product.inputs().size() <= BIAS && result.equals(context.type(old.inputs().get(i)))
        && bias.shape().rank() == 1 && result.shape().rank() > 1
        && bias.shape().extent(0) == result.shape().extent(-1)) {
        List<NodeEntry> inputs = new ArrayList<>(product.inputs());
        while (inputs.size() < BIAS) {
          inputs.add(Node.absent());
        }
        inputs.add(current.inputs().get(1 - i));
        return Node.apply(old.name(), FUSED, Attributes.NONE, inputs).entry();
      }
    }
    return null;
  }
}
