package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/** The shape was an attribute and became an input in opset 5. */
final class ReshapeUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    NodeEntry shape = scope.longs(old, "shape", old.attributes().getLongs("shape"));
    return scope.node(old.withAttributes(old.attributes().without("shape")).withFurtherInputs(shape));
  }
}
