package dev.cairn.runtime.pass.quantise;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import dev.cairn.runtime.pass.Readers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
public final class FuseDynamicProductPass implements Pass {
  private static final String FUSED = "MatMulIntegerToFloat";
  private static final int BIAS = 6;

  @Override
  public String name() {
    return "fuse-dynamic-product";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    var walk = new Walk(context.types(), new Readers(graph));
    return GraphRewriter.rewrite(graph, walk::rewrite);
  }

  private record Walk(GraphTypes types, Readers readers) {
    List<NodeEntry> rewrite(Node old, Node current) {
      Node made = switch (old.operator()) {
        case "Mul" -> scaled(old, current);
        case "Add" -> withBias(old, current);
        default -> null;
      };
      return GraphRewriter.entries(made == null ? current : made);
    }

    private @Nullable Node scaled(Node old, Node current) {
      for (int i = 0; i < 2; i++) {
        NodeEntry cast = old.inputs().get(i);
        NodeEntry scale = old.inputs().get(1 - i);
        if (isOnlyRead(cast, "Cast") && isOnlyRead(cast.node().inputs().getFirst(), "MatMulInteger")
          && areMatrices(cast.node().inputs().getFirst().node()) && scale.node().operator().equals("Mul") && types
            .type(old.entry()).equals(types.type(cast))
          && isSingle(old.entry())) {
          Node product = current.inputs().get(i).node().inputs().getFirst().node();
          Node made = fused(old, product, scale.node(), current.inputs().get(1 - i).node());
          if (made != null) {
            return made;
          }
        }
      }
      return null;
    }

    private boolean isOnlyRead(NodeEntry entry, String operator) {
      return entry.node().operator().equals(operator) && readers.of(entry) == 1;
    }

    private boolean areMatrices(Node product) {
      return product.inputs().subList(0, 2).stream().allMatch(it -> types.type(it).shape().rank() > 1);
    }

    private boolean isSingle(NodeEntry entry) {
      return types.type(entry).dtype() == DType.FLOAT32;
    }

    /** @param oldScale the product of scales; one of them is a single number, the other may be one for each column */
    private @Nullable Node fused(Node old, Node product, Node oldScale, Node scale) {
      Shape result = types.type(old.entry()).shape();
      long columns = result.rank() < 2 ? 1 : result.extent(-1);
      for (int i = 0; i < 2; i++) {
        Shape left = types.type(oldScale.inputs().get(i)).shape();
        Shape right = types.type(oldScale.inputs().get(1 - i)).shape();
        if (left.elementCount() == 1 && (right.elementCount() == 1 || right.equals(Shape.of(columns)))) {
          List<NodeEntry> inputs = new ArrayList<>(product.inputs().subList(0, 2));
          inputs.add(scale.inputs().get(i));
          inputs.add(scale.inputs().get(1 - i));
          inputs.addAll(product.inputs().subList(2, product.inputs().size()));
          return Node.apply(old.name(), FUSED, Attributes.NONE, inputs);
        }
      }
      return null;
    }

    private @Nullable Node withBias(Node old, Node current) {
      for (int i = 0; i < 2; i++) {
        Node product = current.inputs().get(i).node();
        TensorType bias = types.type(old.inputs().get(1 - i));
        TensorType result = types.type(old.entry());
        if (product.operator().equals(FUSED) && readers.of(old.inputs().get(i)) == 1 && product.inputs().size() <= BIAS
          && result.equals(types.type(old.inputs().get(i))) && bias.shape().rank() == 1 && result.shape().rank() > 1
          && bias.shape().extent(0) == result.shape().extent(-1)) {
          List<NodeEntry> inputs = new ArrayList<>(product.inputs());
          while (inputs.size() < BIAS) {
            inputs.add(Node.absent());
          }
          inputs.add(current.inputs().get(1 - i));
          return Node.apply(old.name(), FUSED, Attributes.NONE, inputs);
        }
      }
      return null;
    }
  }
}
