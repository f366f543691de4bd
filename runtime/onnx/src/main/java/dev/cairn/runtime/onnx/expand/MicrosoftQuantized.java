package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import dev.cairn.runtime.onnx.upgrade.Upgrade;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;

/** Quantised operators of domain com.microsoft, with those of the graph. */
final class MicrosoftQuantized {
  private static final String CHANNELS_LAST = "channels_last";

  private MicrosoftQuantized() {}

  /** A product of A, quantised when the model runs, with B: inputs A, B, B's scale, B's zero point, bias. */
  static List<NodeEntry> dynamicProduct(OldNode old, UpgradeScope scope) {
    List<NodeEntry> a = scope.nodes(old, "DynamicQuantizeLinear", 3, old.input(0));
    return scope.node(old.as("MatMulIntegerToFloat", Attributes.NONE, a.get(0), old.input(1), a.get(1), old.input(2), a
      .get(2), old.input(3), old.input(4)));
  }

  /** An operator of two quantised operands: A, its scale and zero point, B with its own, and those of the result. */
  static Upgrade binary(BinaryOperator<GraphExpression> function) {
    return (old, scope) -> {
      var made = new Replacement(old, scope);
      GraphExpression a = dequantized(made, 0);
      GraphExpression b = dequantized(made, 3);
      return quantized(made, function.apply(a, b), 6);
    };
  }

  /** An operator of one quantised operand. The function also gets the old node's attributes. */
  static Upgrade unary(BiFunction<GraphExpression, Attributes, GraphExpression> function) {
    return (old, scope) -> {
      var made = new Replacement(old, scope);
      return quantized(made, function.apply(dequantized(made, 0), old.attributes()), 3);
    };
  }

  /** Like {@link #unary}, for an operator of images, whose channels may come last. */
  static Upgrade ofImages(BiFunction<GraphExpression, Attributes, GraphExpression> function) {
    return (old, scope) -> {
      Attributes given = old.attributes().without(CHANNELS_LAST);
      if (!old.attributes().getFlag(CHANNELS_LAST, false)) {
        return unary(function).apply(old.withAttributes(given), scope);
      }
      var made = new Replacement(old, scope);
      GraphExpression image = ChannelsLastImages.first(made, dequantized(made, 0));
      GraphExpression result = function.apply(image, given);
      return quantized(made, ChannelsLastImages.back(made, result), 3);
    };
  }

  /** A convolution of quantised images, whose channels may come last. */
  static List<NodeEntry> convolution(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes().without(CHANNELS_LAST);
    NodeEntry[] inputs = old.inputs().toArray(NodeEntry[]::new);
    if (!old.attributes().getFlag(CHANNELS_LAST, false)) {
      return scope.node(old.as("QLinearConv", given, inputs));
    }
    var made = new Replacement(old, scope);
    inputs[0] = ChannelsLastImages.first(made, made.input(0)).entry();
    GraphExpression result = made.of(scope.node(old, "QLinearConv", given, inputs));
    return ChannelsLastImages.last(made, result).results();
  }

  /** Elements of one quantised operand or of another. */
  static List<NodeEntry> where(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression chosen = made.input(0).where(dequantized(made, 1), dequantized(made, 4));
    return quantized(made, chosen, 7);
  }

  /** Before operator set 13, a softmax is over all axes from the given one on. */
  static List<NodeEntry> softmax(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression x = dequantized(made, 0);
    long axis = old.attributes().getLong("axis", -1);
    GraphExpression result = old.attributes().getLong("opset", 13) >= 13
      ? x.softmax(Math.toIntExact(axis))
      : x.flatten(Math.toIntExact(axis)).softmax(-1).reshapeKeeping(x.extents(Attributes.NONE));
    return quantized(made, result, 3);
  }

  /** A recurrent network with weights that are quantised; it is computed with real numbers. */
  static List<NodeEntry> recurrent(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression w = weights(made, 1, 8).transpose(0, 2, 1);
    GraphExpression r = weights(made, 2, 10).transpose(0, 2, 1);
    return scope.node(old.as("LSTM", old.attributes(), old.input(0), w.entry(), r.entry(), old.input(3), old.input(4),
      old.input(5), old.input(6), old.input(7)));
  }

  /** Weights of directions, with a scale for each direction, or for each of its columns. */
  private static GraphExpression weights(Replacement made, int weight, int scale) {
    GraphExpression directions = made.input(weight).extent(0);
    GraphExpression extents = directions.concat(0, List.of(made.longs("rows", 1), made.longs("columns", -1)));
    GraphExpression whole = made.input(weight).astype(DType.FLOAT32);
    GraphExpression zero = made.input(scale + 1).astype(DType.FLOAT32).reshapeKeeping(extents);
    return whole.sub(zero).mul(made.input(scale).reshapeKeeping(extents));
  }

  /** Inputs: the result's scale and zero point, then operands, each with its own. */
  static List<NodeEntry> concat(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    List<GraphExpression> operands = new ArrayList<>();
    for (int i = 2; i < old.inputs().size() - 2; i += 3) {
      operands.add(dequantized(made, i));
    }
    if (operands.isEmpty()) {
      throw new IllegalArgumentException("nothing to join: inputs=" + old.inputs().size());
    }
    GraphExpression joined = operands.getFirst().concat(old.attributes(), operands.subList(1, operands.size()));
    return quantized(made, joined, 0);
  }

  private static GraphExpression dequantized(Replacement made, int input) {
    return made.input(input).callAll("DequantizeLinear", Attributes.NONE, 1, List.of(made.input(input + 1), made.input(
      input + 2))).getFirst();
  }

  private static List<NodeEntry> quantized(Replacement made, GraphExpression real, int scale) {
    return made.last(real).callAll("QuantizeLinear", Attributes.NONE, 1, List.of(made.input(scale), made.input(scale
      + 1))).getFirst().results();
  }

  /** A product of quantised matrices, plus a bias in units of their scales; real unless the result has a scale. */
  static List<NodeEntry> gemm(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    var made = new Replacement(old, scope);
    GraphExpression a = turned(made, "transA", 0);
    GraphExpression b = turned(made, "transB", 3);
    boolean isQuantized = made.hasInput(7);
    if (isQuantized && given.getFloat("alpha", 1) == 1) {
      return scope.node(old.as("QLinearMatMul", Attributes.NONE, a.entry(), old.input(1), old.input(2), b.entry(), old
        .input(4), old.input(5), old.input(7), old.input(8), old.input(6)));
    }
    GraphExpression alpha = made.single("alpha", given.getFloat("alpha", 1));
    GraphExpression scale = made.input(1).mul(alpha);
    GraphExpression product = made.of(scope.node(old, "MatMulIntegerToFloat", Attributes.NONE, a.entry(), b.entry(),
      scale.entry(), old.input(4), old.input(2), old.input(5)));
    if (made.hasInput(6)) {
      GraphExpression units = scale.mul(made.input(4));
      product = product.add(made.input(6).astype(DType.FLOAT32).mul(units));
    }
    return isQuantized ? quantized(made, product, 7) : made.last(product).identity().results();
  }

  private static GraphExpression turned(Replacement made, String attribute, int input) {
    return made.old().attributes().getFlag(attribute, false) ? made.input(input).transpose(1, 0) : made.input(input);
  }
}
