package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Upgrade;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.List;

/** Quantised operators of domain com.microsoft, with those of the graph. */
final class MicrosoftQuantised {
  private MicrosoftQuantised() {}

  /** A product of A, quantised when the model runs, with B: inputs A, B, B's scale, B's zero point, bias. */
  static List<NodeEntry> dynamicProduct(OldNode old, UpgradeScope scope) {
    List<NodeEntry> a = scope.nodes(old, "DynamicQuantizeLinear", 3, old.input(0));
    return scope.node(old.as("MatMulIntegerToFloat", Attributes.NONE, a.get(0), old.input(1), a.get(1), old.input(2), a
      .get(2), old.input(3), old.input(4)));
  }

  /** An operator of two quantised operands: A, its scale and zero point, B with its own, and those of the result. */
  static Upgrade binary(String operator) {
    return (old, scope) -> {
      NodeEntry a = dequantised(old, scope, Attributes.NONE, 0);
      NodeEntry b = dequantised(old, scope, Attributes.NONE, 3);
      return quantised(old, scope, scope.node(old, operator, Attributes.NONE, a, b), 6);
    };
  }

  /** An operator of one quantised operand, with the attributes that it knows. */
  static Upgrade unary(String operator, String... attributes) {
    return (old, scope) -> {
      Attributes kept = Attributes.NONE;
      for (String name : attributes) {
        AttributeValue value = old.attributes().find(name).orElse(null);
        kept = value == null ? kept : kept.with(name, value);
      }
      if (old.attributes().getFlag("channels_last", false)) {
        throw new IllegalArgumentException("channels that come last are not supported");
      }
      return quantised(old, scope, scope.node(old, operator, kept, dequantised(old, scope, Attributes.NONE, 0)), 3);
    };
  }

  /** Inputs: the result's scale and zero point, then operands, each with its own. */
  static List<NodeEntry> concat(OldNode old, UpgradeScope scope) {
    NodeEntry[] operands = new NodeEntry[(old.inputs().size() - 2) / 3];
    for (int i = 0; i < operands.length; i++) {
      operands[i] = dequantised(old, scope, Attributes.NONE, 2 + 3 * i);
    }
    NodeEntry joined = scope.node(old, "Concat", old.attributes(), operands);
    return scope.node(old.as("QuantizeLinear", Attributes.NONE, joined, old.input(0), old.input(1)));
  }

  private static NodeEntry dequantised(OldNode old, UpgradeScope scope, Attributes attributes, int input) {
    return scope.node(old, "DequantizeLinear", attributes, old.input(input), old.input(input + 1), old.input(input
      + 2));
  }

  private static List<NodeEntry> quantised(OldNode old, UpgradeScope scope, NodeEntry real, int scale) {
    return scope.node(old.as("QuantizeLinear", Attributes.NONE, real, old.input(scale), old.input(scale + 1)));
  }

  /** A product of quantised matrices, plus a bias in units of their scales; real unless the result has a scale. */
  static List<NodeEntry> gemm(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    NodeEntry a = turned(old, scope, "transA", 0);
    NodeEntry b = turned(old, scope, "transB", 3);
    boolean isQuantised = !old.input(7).isAbsent();
    if (isQuantised && given.getFloat("alpha", 1) == 1) {
      return scope.node(old.as("QLinearMatMul", Attributes.NONE, a, old.input(1), old.input(2), b, old.input(4), old
        .input(5), old.input(7), old.input(8), old.input(6)));
    }
    NodeEntry alpha = scope.single(old, "alpha", given.getFloat("alpha", 1));
    NodeEntry scale = scope.node(old, "Mul", Attributes.NONE, old.input(1), alpha);
    NodeEntry product = scope.node(old, "MatMulIntegerToFloat", Attributes.NONE, a, b, scale, old.input(4), old.input(
      2), old.input(5));
    if (!old.input(6).isAbsent()) {
      NodeEntry units = scope.node(old, "Mul", Attributes.NONE, scale, old.input(4));
      Attributes columns = Attributes.NONE.with("to", new AttributeValue.Text("float32"));
      NodeEntry bias = scope.node(old, "Mul", Attributes.NONE, scope.node(old, "Cast", columns, old.input(6)), units);
      product = scope.node(old, "Add", Attributes.NONE, product, bias);
    }
    return isQuantised
      ? quantised(old, scope, product, 7)
      : scope.node(old.as("Identity", Attributes.NONE, product));
  }

  private static NodeEntry turned(OldNode old, UpgradeScope scope, String attribute, int input) {
    Attributes order = Attributes.NONE.with("perm", AttributeValue.Ints.of(1, 0));
    return old.attributes().getFlag(attribute, false)
      ? scope.node(old, "Transpose", order, old.input(input))
      : old.input(input);
  }
}
