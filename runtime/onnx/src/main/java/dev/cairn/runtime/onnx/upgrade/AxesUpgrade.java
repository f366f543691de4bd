package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/**
 * Axes were an attribute and became an input: in opset 13 for Squeeze, Unsqueeze and ReduceSum, in 18 for the other
 * reductions.
 */
final class AxesUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    if (!old.attributes().has("axes")) {
      return scope.node(old);
    }
    NodeEntry axes = scope.longs(old, "axes", old.attributes().getLongs("axes"));
    return scope.node(old.withAttributes(old.attributes().without("axes")).withFurtherInputs(axes));
  }
}
