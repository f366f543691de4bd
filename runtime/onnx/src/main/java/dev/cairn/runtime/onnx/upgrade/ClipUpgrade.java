package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/** The bounds were attributes and became inputs in opset 11, of the element type of what is clipped. */
final class ClipUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    NodeEntry min = bound("min", old, scope);
    NodeEntry max = bound("max", old, scope);
    return scope.node(old.withAttributes(old.attributes().without("min").without("max")).withFurtherInputs(min, max));
  }

  private static NodeEntry bound(String name, OldNode old, UpgradeScope scope) {
    if (!old.attributes().has(name)) {
      return Node.absent();
    }
    DType dtype = ElementTypeTrace.of(old.input(0));
    return scope.real(old, name, dtype, old.attributes().getFloat(name, 0));
  }
}
