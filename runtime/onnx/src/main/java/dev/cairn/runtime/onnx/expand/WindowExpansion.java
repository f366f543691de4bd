package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import dev.cairn.runtime.onnx.upgrade.OldNode;
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
    NodeEntry size = cast(old, scope, old.input(0));
    NodeEntry zero = scope.single(old, "zero", 0);
    NodeEntry one = scope.single(old, "one", 1);
    NodeEntry steps = old.attributes().getFlag("periodic", true)
      ? size
      : scope.node(old, "Sub", Attributes.NONE, size, one);
    NodeEntry places = scope.node(old, "Range", Attributes.NONE, zero, size, one);
    NodeEntry turn = scope.node(old, "Div", Attributes.NONE, scope.single(old, "turn", (float) (2 * Math.PI)), steps);
    NodeEntry angle = scope.node(old, "Mul", Attributes.NONE, places, turn);
    NodeEntry twice = scope.node(old, "Mul", Attributes.NONE, angle, scope.single(old, "two", 2));
    NodeEntry sum = scope.node(old, "Add", Attributes.NONE, scope.node(old, "Sub", Attributes.NONE, scope.single(old,
      "constant", constant), scaled(old, scope, first, angle)), scaled(old, scope, second, twice));
    long number = old.attributes().getLong("output_datatype", 1);
    DType dtype = ElementTypes.find(number).orElseThrow(() -> new IllegalArgumentException(
      "no such element type: output_datatype=" + number));
    return scope.node(old.as("Cast", Attributes.NONE.with("to", new AttributeValue.Text(dtype.toString())), sum));
  }

  private static NodeEntry cast(OldNode old, UpgradeScope scope, NodeEntry size) {
    return scope.node(old, "Cast", Attributes.NONE.with("to", new AttributeValue.Text("float32")), size);
  }

  private static NodeEntry scaled(OldNode old, UpgradeScope scope, float factor, NodeEntry angle) {
    NodeEntry cosine = scope.node(old, "Cos", Attributes.NONE, angle);
    return scope.node(old, "Mul", Attributes.NONE, scope.single(old, "factor", factor), cosine);
  }
}
