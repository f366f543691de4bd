package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import dev.cairn.runtime.onnx.upgrade.Upgrade;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.List;

/**
 * Weights of a signal's frame: {@code constant - first * cos(a) + second * cos(2a)} at angles of a whole turn, in as
 * many steps as the size says, or one less if it is not periodic.
 */
final class WindowExpansion implements Upgrade {
  private final float constant;
  private final float first;
  private final float second;

  WindowExpansion(float constant, float first, float second) {
    this.constant = constant;
    this.first = first;
    this.second = second;
  }

  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression size = made.input(0).astype(DType.FLOAT32);
    GraphExpression zero = made.single("zero", 0);
    GraphExpression one = made.single("one", 1);
    GraphExpression steps = old.attributes().getFlag("periodic", true) ? size : size.sub(one);
    GraphExpression places = zero.rangeTo(size, one);
    GraphExpression turn = made.single("turn", (float) (2 * Math.PI)).div(steps);
    GraphExpression angle = places.mul(turn);
    GraphExpression twice = angle.mul(made.single("two", 2));
    GraphExpression sum = made.single("constant", constant).sub(scaled(made, first, angle)).add(scaled(made, second,
      twice));
    long number = old.attributes().getLong("output_datatype", 1);
    DType dtype = ElementTypes.find(number).orElseThrow(() -> new IllegalArgumentException(
      "no such element type: output_datatype=" + number));
    return made.last(sum).astype(dtype).results();
  }

  private static GraphExpression scaled(Replacement made, float factor, GraphExpression angle) {
    GraphExpression cosine = angle.cos();
    return made.single("factor", factor).mul(cosine);
  }
}
