package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/** The number of elements was an attribute and became an input in opset 10. */
final class TopKUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    NodeEntry k = scope.longs(old, "k", old.attributes().getLong("k", 0));
    return scope.node(old.withAttributes(old.attributes().without("k")).withFurtherInputs(k));
  }
}
