package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.List;

/**
 * Gates of layers that domain com.microsoft fuses, with ONNX's operators. All but the gated sum are computed in
 * {@code float32}, whatever the element type.
 */
final class MicrosoftGates {
  private static final float EPSILON = 1e-5f;
  /** The least size of a product of key and query, before its root. */
  private static final float LEAST = 1e-6f;

  private MicrosoftGates() {}

  /** {@code x + y * gate}. */
  static List<NodeEntry> add(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    return made.last(made.input(0)).add(made.input(1).mul(made.input(2))).results();
  }

  /** Groups of the last axis, each as long as the scale, divided by their root mean square; then times the gate. */
  static List<NodeEntry> norm(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression scale = made.input(1).astype(DType.FLOAT32).flatten();
    GraphExpression rows = single(made, 0).reshapeKeeping(made.longs("rows", -1).concat(0, List.of(scale.extent(0))));
    Attributes form = Attributes.NONE.with("axis", -1).with("epsilon", new AttributeValue.Real(old.attributes()
      .getFloat("epsilon", EPSILON)));
    GraphExpression normed = rows.rmsNorm(form, scale).reshape(made.input(0).extents(Attributes.NONE));
    GraphExpression gate = single(made, 2);
    String activation = old.attributes().getText("activation", "silu");
    GraphExpression factor = switch (activation) {
      case "silu", "swish" -> gate.mul(gate.sigmoid());
      case "sigmoid" -> gate.sigmoid();
      default -> throw new IllegalArgumentException("no such activation: activation=\"%s\"".formatted(activation));
    };
    return made.last(normed.mul(factor)).castLike(made.input(0)).results();
  }

  /** The decay {@code scale * Softplus(a + bias)} and the rate {@code Sigmoid(b)} of a linear attention. */
  static List<NodeEntry> ofLinearAttention(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression sum = single(made, 0).add(made.input(1).flatten());
    NodeEntry decay = made.last(sum.softplus().mul(made.input(2).flatten()), 1).castLike(made.input(0)).entry();
    if (old.outputs() < 2) {
      return List.of(decay);
    }
    if (!made.hasInput(3)) {
      throw new IllegalArgumentException("the second result needs an input: input=b");
    }
    return List.of(decay, single(made, 3).sigmoid().castLike(made.input(0)).entry());
  }

  /**
   * Values that several streams share, each times the gate of its stream: the sigmoid of the root of the product of a
   * key and a query, with its sign. The second result is normalised once more. Older models have eight inputs or nine,
   * with the weights that make keys and values.
   */
  static List<NodeEntry> ofEngram(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    boolean projects = old.inputs().size() > 6;
    int scales = projects ? 6 : 3;
    GraphExpression value = projects ? biased(made, single(made, 0).matmul(single(made, 4)), 5) : single(made, 2);
    GraphExpression keys = projects ? biased(made, projected(made), 3) : single(made, 0);
    GraphExpression key = normalized(made, keys).mul(single(made, scales));
    GraphExpression query = normalized(made, single(made, 1)).mul(single(made, scales + 1));
    GraphExpression width = made.input(1).extent(-1).astype(DType.FLOAT32).sqrt();
    GraphExpression dot = key.mul(query).sum(true, -1).div(width);
    GraphExpression root = dot.abs().maximum(made.single("least", LEAST)).sqrt();
    GraphExpression gated = dot.sign().mul(root).sigmoid().mul(value.expandDims(2));
    NodeEntry result = made.last(gated, 1).castLike(made.input(0)).entry();
    if (old.outputs() < 2) {
      return List.of(result);
    }
    if (!made.hasInput(scales + 2)) {
      throw new IllegalArgumentException("the second result needs an input: input=conv_norm_scale");
    }
    return List.of(result, normalized(made, gated).mul(single(made, scales + 2)).castLike(made.input(0)).entry());
  }

  /** A key for each stream, by weights {@code [stream, input, key]}. */
  private static GraphExpression projected(Replacement made) {
    Attributes equation = Attributes.NONE.with("equation", new AttributeValue.Text("bse,geh->bsgh"));
    return single(made, 0).call("Einsum", equation, single(made, 2));
  }

  private static GraphExpression biased(Replacement made, GraphExpression x, int bias) {
    return made.hasInput(bias) ? x.add(single(made, bias)) : x;
  }

  private static GraphExpression single(Replacement made, int input) {
    return made.input(input).astype(DType.FLOAT32);
  }

  /** Rows of the last axis divided by their root mean square. */
  private static GraphExpression normalized(Replacement made, GraphExpression x) {
    float epsilon = made.old().attributes().getFloat("epsilon", EPSILON);
    return x.div(x.square().mean(true, -1).add(epsilon).sqrt());
  }
}
