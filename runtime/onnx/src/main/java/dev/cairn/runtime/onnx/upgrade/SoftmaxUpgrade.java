package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/**
 * Until opset 13, the sum went over all axes from the given one (by default the second) to the last, not over that
 * axis alone.
 *
 * <pre>
 * y = Softmax{axis=k}(x)      →      f = Flatten{axis=k}(x)
 *                                    s = Softmax{axis=-1}(f)
 *                                    y = Reshape{allowzero=1}(s, Shape(x))
 * </pre>
 */
final class SoftmaxUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes last = old.attributes().with("axis", -1);
    long axis = old.attributes().getLong("axis", 1);
    if (axis == -1) {
      return scope.node(old.withAttributes(last));
    }
    NodeEntry x = old.input(0);
    NodeEntry flat = scope.node(old, "Flatten", Attributes.NONE.with("axis", axis), x);
    NodeEntry shape = scope.node(old, "Shape", Attributes.NONE, x);
    NodeEntry sum = scope.node(old, old.operator().name(), last, flat);
    var reshape = new OldNode.Operator("", "Reshape", old.operator().opset());
    // An extent of 0 is one, not the extent of the flat tensor.
    Attributes asWritten = Attributes.NONE.with("allowzero", 1);
    return scope.node(new OldNode(old.name(), reshape, asWritten, List.of(sum, shape), old.outputs()));
  }
}
