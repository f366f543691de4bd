package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.ResizeAxis;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/**
 * Until opset 11, positions were divided by the scales, and scales were the second input. ONNX Runtime rounds up where
 * an axis shrinks.
 */
final class ResizeUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes attributes = old.attributes()
      .with("coordinate_transformation_mode", new AttributeValue.Text("asymmetric"))
      .with("nearest_mode", new AttributeValue.Text(ResizeAxis.FLOOR_OR_CEIL));
    return scope.node(old.withAttributes(attributes).withFurtherInputs(Node.absent(), old.input(1)));
  }
}
