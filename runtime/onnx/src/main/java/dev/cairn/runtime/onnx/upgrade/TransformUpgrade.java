package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/** The axis of DFT was an attribute, by default 1, and became an input in opset 20. */
final class TransformUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    NodeEntry axis = scope.whole(old, "axis", old.attributes().getLong("axis", 1));
    return scope.node(old.withAttributes(old.attributes().without("axis")).withFurtherInputs(old.input(1), axis));
  }
}
