package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/**
 * The lengths were an attribute and became an input in opset 13; from 18 on, a split into equal parts says how many
 * there are. In opset 1 they could be an input, too, of the type of what is split.
 */
final class SplitUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    if (given.has("split") && old.operator().opset() < 13) {
      NodeEntry lengths = scope.longs(old, "split", given.getLongs("split"));
      return scope.node(old.withAttributes(given.without("split")).withFurtherInputs(lengths));
    }
    if (old.operator().opset() < 2 && !old.input(1).isAbsent()) {
      return scope.node(old.withFurtherInputs(new Replacement(old, scope).input(1).astype(DType.INT64).entry()));
    }
    return old.input(1).isAbsent()
      ? scope.node(old.withAttributes(given.with("num_outputs", old.outputs())))
      : scope.node(old);
  }
}
