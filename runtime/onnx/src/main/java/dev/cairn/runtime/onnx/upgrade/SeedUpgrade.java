package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/** A random tensor without a seed gets one of its node's name, so that two nodes draw different numbers. */
final class SeedUpgrade implements Upgrade {
  /** All whole numbers up to this one are floats. */
  private static final int MOST = (1 << 24) - 1;

  private final Upgrade elementType = new ElementTypeUpgrade();

  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    if (old.attributes().has("seed")) {
      return elementType.apply(old, scope);
    }
    var seed = new AttributeValue.Real(seed(old.name()));
    return elementType.apply(old.withAttributes(old.attributes().with("seed", seed)), scope);
  }

  /** A seed for a node. */
  static float seed(String name) {
    return name.hashCode() & MOST;
  }
}
