package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/**
 * The widths and the fill value were attributes and became inputs in opset 11. Until opset 2, the widths had another
 * name.
 */
final class PadUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    String widths = given.has("paddings") ? "paddings" : "pads";
    NodeEntry pads = given.has(widths) ? scope.longs(old, "pads", given.getLongs(widths)) : Node.absent();
    NodeEntry value = given.has("value")
      ? scope.real(old, "value", ElementTypeTrace.of(old.input(0)), given.getFloat("value", 0))
      : Node.absent();
    return scope.node(old.withAttributes(given.without(widths).without("value")).withFurtherInputs(pads, value));
  }
}
