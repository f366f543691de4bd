package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/** Until opset 16, RoiAlign did not move positions by half an element. */
final class RegionUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    return scope.node(old.withAttributes(old.attributes().with("coordinate_transformation_mode",
      new AttributeValue.Text("output_half_pixel"))));
  }
}
