package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Graph;
import dev.cairn.runtime.graph.GraphRewriter;
import dev.cairn.runtime.graph.GraphTypes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.pass.Fact;
import dev.cairn.runtime.pass.Pass;
import dev.cairn.runtime.pass.PassContext;
import dev.cairn.runtime.pass.Readers;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes one node of GELU written with {@code Erf}, as exporters write it, in any order of factors:
 *
 * <pre>
 * d = Div(x, 1.4142135)
 * e = Erf(d)
 * a = Add(e, 1)              →    y = Gelu(x)
 * m = Mul(x, a)
 * y = Mul(m, 0.5)
 * </pre>
 *
 * The result may differ by rounding.
 */
public final class FuseGeluPass implements Pass {
  private static final double NEAR = 1e-5;

  @Override
  public String name() {
    return "fuse-gelu";
  }

  @Override
  public Set<Fact<?>> requires() {
    return Set.of(Fact.TYPES);
  }

  @Override
  public Graph apply(Graph graph, PassContext context) {
    var readers = new Readers(graph);
    return GraphRewriter.rewrite(graph, (old, current) -> {
      Factor x = new Match(readers, context.types()).input(old);
      return GraphRewriter.entries(x == null
        ? current
        : Node.apply(old.name(), "Gelu", Attributes.NONE, List.of(x.in(current))));
    });
  }

  /**
   * One of three factors: an input of the last {@code Mul}, or of a {@code Mul} that is its input.
   *
   * @param inner which input of that {@code Mul}; -1 for an input of the last one
   */
  private record Factor(NodeEntry entry, int outer, int inner) {
    /** The same factor of the rewritten node. */
    NodeEntry in(Node last) {
      NodeEntry input = last.inputs().get(outer);
      return inner < 0 ? input : input.node().inputs().get(inner);
    }
  }

  private record Match(Readers readers, GraphTypes types) {
    /** The {@code x} of the last node of a GELU; null for another node. */
    @Nullable
    Factor input(Node last) {
      List<Factor> factors = last.operator().equals("Mul") ? factors(last) : List.of();
      List<Factor> others = factors.stream().filter(it -> !isNumber(it.entry(), 0.5)).toList();
      if (factors.size() != 3 || others.size() != 2) {
        return null;
      }
      for (int i = 0; i < 2; i++) {
        NodeEntry x = others.get(1 - i).entry();
        if (isOnePlusErf(others.get(i).entry(), x) && types.type(last.entry()).equals(types.type(x))) {
          return others.get(1 - i);
        }
      }
      return null;
    }

    private List<Factor> factors(Node last) {
      List<Factor> factors = new ArrayList<>();
      for (int outer = 0; outer < 2; outer++) {
        NodeEntry input = last.inputs().get(outer);
        if (input.node().operator().equals("Mul") && readers.of(input) == 1) {
          factors.add(new Factor(input.node().inputs().get(0), outer, 0));
          factors.add(new Factor(input.node().inputs().get(1), outer, 1));
        } else {
          factors.add(new Factor(input, outer, -1));
        }
      }
      return factors;
    }

    private boolean isOnePlusErf(NodeEntry sum, NodeEntry x) {
      if (!sum.node().operator().equals("Add") || readers.of(sum) != 1) {
        return false;
      }
      for (int i = 0; i < 2; i++) {
        NodeEntry erf = sum.node().inputs().get(i);
        if (isNumber(sum.node().inputs().get(1 - i), 1) && erf.node().operator().equals("Erf")
          && readers.of(erf) == 1) {
          return isScaled(erf.node().inputs().getFirst(), x);
        }
      }
      return false;
    }

    /** {@code x} divided by the root of two. */
    private boolean isScaled(NodeEntry scaled, NodeEntry x) {
      if (readers.of(scaled) != 1) {
        return false;
      }
      List<NodeEntry> inputs = scaled.node().inputs();
      return switch (scaled.node().operator()) {
        case "Div" -> inputs.get(0).equals(x) && isNumber(inputs.get(1), Math.sqrt(2));
        case "Mul" -> (inputs.get(0).equals(x) && isNumber(inputs.get(1), Math.sqrt(0.5))) || (inputs.get(1).equals(x)
          && isNumber(inputs.get(0), Math.sqrt(0.5)));
        default -> false;
      };
    }

    private static boolean isNumber(NodeEntry entry, double number) {
      return entry.node().kind() instanceof NodeKind.Constant(TensorView value) && value.elementCount() == 1
        && Math.abs(
          value.doubleAt(0) - number) < NEAR;
    }
  }
}
