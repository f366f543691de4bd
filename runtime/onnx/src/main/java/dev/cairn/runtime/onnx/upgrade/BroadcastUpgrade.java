package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/**
 * Until opset 7, the second operand was stretched to the first one's shape only: with {@code broadcast=1}, where its
 * axes are the last ones, or those from attribute {@code axis} on. Then it gets further axes of extent 1 behind:
 *
 * <pre>
 * z = Add{axis=1, broadcast=1}(x, y)   →   Add(x, Reshape(y, Concat(Shape(y), Expand(1, [rank(x) - 1 - rank(y)]))))
 * </pre>
 */
final class BroadcastUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    OldNode stretched = old.withAttributes(given.without("broadcast").without("axis"));
    return given.getFlag("broadcast", false) && given.has("axis")
      ? from(given.getLong("axis", 0), stretched, scope)
      : scope.node(stretched);
  }

  /** Until opset 7, the slope of PRelu had one number for each channel, whatever the axes behind. */
  static List<NodeEntry> ofChannels(OldNode old, UpgradeScope scope) {
    return from(1, old, scope);
  }

  /** @param axis of the first operand, at which the second one's axes begin; negative ones count from the end */
  private static List<NodeEntry> from(long axis, OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression own = made.input(1).extents(Attributes.NONE);
    GraphExpression last = axis < 0
      ? made.longs("axis", -axis)
      : made.input(0).extents(Attributes.NONE).extents(Attributes.NONE).sub(made.longs("axis", axis));
    GraphExpression behind = last.sub(own.extents(Attributes.NONE)).maximum(made.longs("none", 0));
    GraphExpression shape = own.concat(0, List.of(made.longs("one", 1).broadcastTo(behind)));
    return scope.node(old.withFurtherInputs(made.input(1).reshape(shape).entry()));
  }
}
