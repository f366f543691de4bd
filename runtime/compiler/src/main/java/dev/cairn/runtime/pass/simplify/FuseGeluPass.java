package dev.cairn.runtime.pass.simplify;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.graph.NodeKind;
import dev.cairn.runtime.pass.NodeRule;
import dev.cairn.runtime.pass.RewriteContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes one node of GELU written with {@code Erf} or {@code Tanh}, as exporters write it, in any order of factors:
 *
 * <pre>
 * d = Div(x, 1.4142135)
 * e = Erf(d)
 * a = Add(e, 1)              →    y = Gelu(x)
 * m = Mul(x, a)
 * y = Mul(m, 0.5)
 * </pre>
 *
 * <p>With {@code e = Tanh(0.7978846 * (x + 0.044715 * Pow(x, 3)))} in the place of {@code Erf} it is the approximation
 * {@code Gelu<approximate=tanh>(x)}.
 *
 * Only where all nodes are to compute in the same type, and none has a hint that binds. The result may differ by
 * rounding.
 */
public final class FuseGeluPass implements NodeRule {
  private static final double NEAR = 1e-5;
  /** In double precision, numbers are near if ten decimal places are equal. */
  private static final double NEAR_OF_DOUBLES = 1e-10;
  private static final double CUBE_SHARE = 0.044715;
  private static final Attributes BY_TANH = Attributes.NONE.with("approximate", new AttributeValue.Text("tanh"));

  @Override
  public String name() {
    return "fuse-gelu";
  }

  @Override
  public @Nullable NodeEntry rewrite(Node old, Node current, RewriteContext context) {
    Gelu found = new Match(context, old).find();
    return found == null
      ? null
      : Node.apply(old.name(), "Gelu", found.attributes, List.of(found.x.in(current))).entry();
  }

  /** The computation of a matched node: of which factor, and which of the two forms. */
  private record Gelu(Factor x, Attributes attributes) {}

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

  private record Match(RewriteContext context, Node last) {
    /** The GELU that the node is the last of; null for another node. */
    @Nullable
    Gelu find() {
      List<Factor> factors = last.operator().equals(Operators.MUL) ? factors() : List.of();
      List<Factor> others = factors.stream().filter(it -> !isNumber(it.entry(), 0.5)).toList();
      if (factors.size() != 3 || others.size() != 2) {
        return null;
      }
      for (int i = 0; i < 2; i++) {
        NodeEntry x = others.get(1 - i).entry();
        Attributes form = context.type(last.entry()).equals(context.type(x))
          ? onePlusForm(others.get(i).entry(), x)
          : null;
        if (form != null) {
          return new Gelu(others.get(1 - i), form);
        }
      }
      return null;
    }

    private List<Factor> factors() {
      List<Factor> factors = new ArrayList<>();
      for (int outer = 0; outer < 2; outer++) {
        NodeEntry input = last.inputs().get(outer);
        if (input.node().operator().equals(Operators.MUL) && isPart(input)) {
          factors.add(new Factor(input.node().inputs().get(0), outer, 0));
          factors.add(new Factor(input.node().inputs().get(1), outer, 1));
        } else {
          factors.add(new Factor(input, outer, -1));
        }
      }
      return factors;
    }

    /** The attributes of the GELU with {@code 1 + Erf(...)} or {@code 1 + Tanh(...)}; null for another sum. */
    private @Nullable Attributes onePlusForm(NodeEntry sum, NodeEntry x) {
      NodeEntry curve = otherOperand(sum, Operators.ADD, 1);
      if (curve == null || !isPart(curve)) {
        return null;
      }
      return switch (curve.node().operator()) {
        case "Erf" -> isScaled(curve.node().inputs().getFirst(), x) ? Attributes.NONE : null;
        case "Tanh" -> isCubic(curve.node().inputs().getFirst(), x) ? BY_TANH : null;
        default -> null;
      };
    }

    /** {@code 0.7978846 * (x + 0.044715 * x³)}. */
    private boolean isCubic(NodeEntry scaled, NodeEntry x) {
      NodeEntry sum = otherOperand(scaled, Operators.MUL, Math.sqrt(2 / Math.PI));
      if (sum == null || !sum.node().operator().equals(Operators.ADD) || !isPart(sum)) {
        return false;
      }
      for (int i = 0; i < 2; i++) {
        NodeEntry cube = sum.node().inputs().get(i).equals(x)
          ? otherOperand(sum.node().inputs().get(1 - i), Operators.MUL, CUBE_SHARE)
          : null;
        if (cube != null && isPart(cube)) {
          return isCube(cube, x);
        }
      }
      return false;
    }

    private static boolean isCube(NodeEntry cube, NodeEntry x) {
      return cube.node().operator().equals(Operators.POW) && cube.node().inputs().getFirst().equals(x)
        && isNumber(cube.node().inputs().get(1), 3);
    }

    /** The operand beside a number, of an operator of two operands that commute and one reader; else null. */
    private @Nullable NodeEntry otherOperand(NodeEntry result, String operator, double number) {
      if (!result.node().operator().equals(operator) || !isPart(result)) {
        return null;
      }
      List<NodeEntry> inputs = result.node().inputs();
      return isNumber(inputs.get(0), number) ? inputs.get(1) : isNumber(inputs.get(1), number) ? inputs.get(0) : null;
    }

    /** {@code x} divided by the root of two. */
    private boolean isScaled(NodeEntry scaled, NodeEntry x) {
      if (!isPart(scaled)) {
        return false;
      }
      List<NodeEntry> inputs = scaled.node().inputs();
      return switch (scaled.node().operator()) {
        case Operators.DIV -> inputs.get(0).equals(x) && isNumber(inputs.get(1), Math.sqrt(2));
        case Operators.MUL ->
          (inputs.get(0).equals(x) && isNumber(inputs.get(1), Math.sqrt(0.5))) || (inputs.get(1).equals(x)
            && isNumber(inputs.get(0), Math.sqrt(0.5)));
        default -> false;
      };
    }

    /** Whether nothing else reads the result of a node that may become one with the last. */
    private boolean isPart(NodeEntry result) {
      return context.readers(result) == 1 && result.node().notes().mayJoin(last.notes());
    }

    private static boolean isNumber(NodeEntry entry, double number) {
      return entry.node().kind() instanceof NodeKind.Constant(TensorView value) && value.elementCount() == 1
        && Math.abs(value.doubleAt(0) - number) < (value.dtype() == DType.FLOAT64 ? NEAR_OF_DOUBLES : NEAR);
    }
  }
}
