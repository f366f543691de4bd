package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/** At inference, momentum and training mode say nothing. */
final class BatchNormalizationUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    return scope.node(given.getFlag("training_mode", false)
      ? old
      : old.withAttributes(given.without("momentum").without("training_mode")));
  }
}
