package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/** Leaves out what only training reads: the graph's form is that of inference, with one result. */
final class BatchNormalizationUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    return scope.node(old.withAttributes(old.attributes().without("momentum").without("training_mode")));
  }
}
