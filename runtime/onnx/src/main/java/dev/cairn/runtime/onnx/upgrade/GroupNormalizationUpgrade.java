package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/**
 * Until opset 21, scale and bias were one a group; now they are one a channel.
 *
 * <pre> scale  →  Reshape(Expand(Unsqueeze(scale, 1), [1, channels / groups]), [-1]) </pre>
 */
final class GroupNormalizationUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes second = Attributes.NONE.with("start", 1).with("end", 2);
    NodeEntry channels = scope.node(old, "Shape", second, old.input(0));
    NodeEntry groups = scope.longs(old, "num_groups", old.attributes().getLong("num_groups", 0));
    NodeEntry size = scope.node(old, "Div", Attributes.NONE, channels, groups);
    NodeEntry shape = scope.node(old, "Concat", Attributes.NONE.with("axis", 0), scope.longs(old, "one", 1), size);
    return scope.node(old.withFurtherInputs(repeated(old, 1, shape, scope), repeated(old, 2, shape, scope)));
  }

  private static NodeEntry repeated(OldNode old, int input, NodeEntry shape, UpgradeScope scope) {
    NodeEntry column = scope.node(old, "Unsqueeze", Attributes.NONE, old.input(input), scope.longs(old, "axes", 1));
    NodeEntry wide = scope.node(old, "Expand", Attributes.NONE, column, shape);
    return scope.node(old, "Reshape", Attributes.NONE, wide, scope.longs(old, "shape", -1));
  }
}
