package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.Node;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/** Starts, ends and axes were attributes and became inputs in opset 10. */
final class SliceUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes rest = old.attributes().without("starts").without("ends").without("axes");
    return scope.node(old.withAttributes(rest)
      .withFurtherInputs(input("starts", old, scope), input("ends", old, scope), input("axes", old, scope)));
  }

  private static NodeEntry input(String name, OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    return given.has(name) ? scope.longs(old, name, given.getLongs(name)) : Node.absent();
  }
}
