package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.List;

/** Operators that ONNX had on trial in its first versions, and that ONNX Runtime still has. */
final class EarlyExpansions {
  private EarlyExpansions() {}

  /** {@code alpha * x + beta}. */
  static List<NodeEntry> affine(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression scaled = made.input(0).mul(made.attribute("alpha", 1));
    return made.last(scaled).add(made.attribute("beta", 0)).results();
  }

  static List<NodeEntry> scale(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    return made.last(made.input(0)).mul(made.attribute("scale", 1)).results();
  }

  /** {@code alpha * tanh(beta * x)}. */
  static List<NodeEntry> scaledTanh(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression inner = made.input(0).mul(made.attribute("beta", 0)).tanh();
    return made.last(inner).mul(made.attribute("alpha", 0)).results();
  }

  /** {@code alpha * log(1 + exp(beta * x))}. */
  static List<NodeEntry> softplus(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression inner = made.input(0).mul(made.attribute("beta", 0)).softplus();
    return made.last(inner).mul(made.attribute("alpha", 0)).results();
  }

  /** Images times a scale, plus a number for each channel. */
  static List<NodeEntry> imageScaler(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    List<Float> bias = old.attributes().getFloats("bias");
    float[] values = new float[bias.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = bias.get(i);
    }
    GraphExpression scaled = made.input(0).mul(made.attribute("scale", 1));
    GraphExpression shift = made.constant("bias", TensorView.ofFloats(Shape.of(values.length, 1, 1), values));
    return made.last(scaled).add(shift.castLike(scaled)).results();
  }

  /** Images without their border, or of a given size from its first corner on. */
  static List<NodeEntry> crop(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    Attributes given = old.attributes();
    long[] border = given.getLongs("border");
    long[] size = given.getLongs("scale");
    if (border.length != 4 || (size.length != 0 && size.length != 2)) {
      throw new IllegalArgumentException("left, top, right and bottom are needed: border=%d scale=%d".formatted(
        border.length, size.length));
    }
    GraphExpression x = made.input(0);
    GraphExpression starts = made.longs("starts", border[1], border[0]);
    GraphExpression ends = size.length == 2
      ? made.longs("ends", border[1] + size[0], border[0] + size[1])
      : x.extents(Attributes.NONE.with("start", 2)).sub(made.longs("after", border[3], border[2]));
    return made.last(x).slice(starts, ends, made.longs("axes", 2, 3), made.longs("steps", 1, 1)).results();
  }
}
