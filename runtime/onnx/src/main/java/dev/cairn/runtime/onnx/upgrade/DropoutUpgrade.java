package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/** The share of dropped elements was an attribute and became an input in opset 12. */
final class DropoutUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    if (!old.attributes().has("ratio")) {
      return scope.node(old);
    }
    NodeEntry ratio = scope.real(old, "ratio", DType.FLOAT32, old.attributes().getFloat("ratio", 0));
    return scope.node(old.withAttributes(old.attributes().without("ratio")).withFurtherInputs(ratio));
  }
}
