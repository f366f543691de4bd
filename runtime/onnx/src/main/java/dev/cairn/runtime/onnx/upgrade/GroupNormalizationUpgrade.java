package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.runtime.expression.GraphExpression;
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
    var made = new Replacement(old, scope);
    GraphExpression channels = made.input(0).extent(1);
    GraphExpression size = channels.div(made.longs("num_groups", old.attributes().getLong("num_groups", 0)));
    GraphExpression shape = made.longs("one", 1).concat(0, List.of(size));
    return scope.node(old.withFurtherInputs(repeated(made, 1, shape), repeated(made, 2, shape)));
  }

  private static NodeEntry repeated(Replacement made, int input, GraphExpression shape) {
    GraphExpression wide = made.input(input).expandDims(made.longs("axes", 1)).broadcastTo(shape);
    return wide.reshapeKeeping(made.longs("shape", -1)).entry();
  }
}
