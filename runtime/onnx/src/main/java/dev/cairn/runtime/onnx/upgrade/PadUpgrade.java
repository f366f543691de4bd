package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/** The widths and the fill value were attributes and became inputs in opset 11. */
final class PadUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    NodeEntry pads = given.has("pads") ? scope.longs(old, "pads", given.getLongs("pads")) : Node.absent();
    NodeEntry value = given.has("value")
      ? scope.real(old, "value", ElementTypeTrace.of(old.input(0)), given.getFloat("value", 0))
      : Node.absent();
    return scope.node(old.withAttributes(given.without("pads").without("value")).withFurtherInputs(pads, value));
  }
}
