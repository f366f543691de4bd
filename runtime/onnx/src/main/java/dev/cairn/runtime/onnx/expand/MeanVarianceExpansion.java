package dev.cairn.runtime.onnx.expand;

import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import dev.cairn.runtime.onnx.upgrade.Upgrade;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.List;

/**
 * Elements less their mean, over their deviation:
 *
 * <pre>
 * d = x - ReduceMean(x, axes)
 * y = d / (Sqrt(ReduceMean(d * d, axes)) + 1e-9)
 * </pre>
 */
final class MeanVarianceExpansion implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression x = made.input(0);
    GraphExpression axes = made.longs("axes", old.attributes().getLongs("axes", 0, 2, 3));
    GraphExpression difference = x.sub(x.meanKept(axes));
    GraphExpression deviation = difference.square().meanKept(axes).sqrt();
    GraphExpression divisor = deviation.add(made.likeFirst("epsilon", 1e-9f));
    return made.last(difference).div(divisor).results();
  }
}
