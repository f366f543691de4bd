package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/** Writes one use of an operator in the form of opset 22. */
@FunctionalInterface
public interface Upgrade {
  /**
   * @return one entry for each result of the old node
   * @throws IllegalArgumentException when an attribute is of another kind than the operator defines
   */
  List<NodeEntry> apply(OldNode old, UpgradeScope scope);
}
