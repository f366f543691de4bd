package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.GraphExpression;
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
    var made = new Replacement(old, scope);
    GraphExpression x = made.input(0);
    GraphExpression flat = x.flatten(Math.toIntExact(axis));
    GraphExpression shape = x.extents(Attributes.NONE);
    GraphExpression sum = flat.call(old.operator().name(), last);
    return made.last(sum).reshape(shape).results();
  }
}
