package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.notation.ElementTypes;
import java.util.List;

/** The graph names the element type; the file numbers it. What only concerns eight-bit floats is left out. */
final class CastUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    long number = given.getLong("to", 0);
    DType to = ElementTypes.find(number)
      .orElseThrow(() -> new IllegalArgumentException("no element type to cast to: to=" + number));
    Attributes named = given.without("saturate").without("round_mode").with("to",
      new AttributeValue.Text(to.toString()));
    return scope.node(old.withAttributes(named));
  }
}
