package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/**
 * A random tensor without a seed gets a draw, which follows from its node's name, so that two nodes draw different
 * numbers. A session with a random state replaces it by a draw of that state.
 */
final class SeedUpgrade implements Upgrade {
  /** All whole numbers up to this one are floats. */
  private static final int MOST = (1 << 24) - 1;

  private final Upgrade elementType = new ElementTypeUpgrade();

  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    return elementType.apply(old.withAttributes(seeded(old)), scope);
  }

  /** The attributes of a random node with its seed, or else with a draw. */
  static Attributes seeded(OldNode old) {
    Attributes given = old.attributes();
    return given.has("seed") ? given : given.with("draw", old.name().hashCode() & MOST);
  }
}
