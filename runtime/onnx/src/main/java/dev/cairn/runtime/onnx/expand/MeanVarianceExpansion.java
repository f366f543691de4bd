package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.ElementTypeTrace;
import dev.cairn.runtime.onnx.upgrade.OldNode;
import dev.cairn.runtime.onnx.upgrade.Replacement;
import dev.cairn.runtime.onnx.upgrade.Upgrade;
import dev.cairn.runtime.onnx.upgrade.UpgradeScope;
import java.util.List;

/**
 * Elements less their mean, over their deviation; computed in {@code float32} or wider, since squares of {@code
 * float16} numbers from 256 on overflow:
 *
 * <pre>
 * d = x - ReduceMean(x, axes)
 * y = d / (Sqrt(ReduceMean(d * d, axes)) + 1e-9)
 * </pre>
 *
 * <p>Until opset 9, attributes said whether means go across channels, and whether the deviation counts.
 */
final class MeanVarianceExpansion implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    boolean isWide = ElementTypeTrace.of(old.input(0)) == DType.FLOAT64;
    GraphExpression given = made.input(0);
    GraphExpression x = isWide ? given : given.astype(DType.FLOAT32);
    Attributes attributes = old.attributes();
    GraphExpression axes = made.longs("axes", attributes.getFlag("across_channels", false)
      ? new long[] {0, 1, 2, 3}
      : attributes.getLongs("axes", 0, 2, 3));
    GraphExpression difference = x.sub(x.meanKept(axes));
    if (!attributes.getFlag("normalize_variance", true)) {
      return made.last(difference).castLike(given).results();
    }
    GraphExpression deviation = difference.square().meanKept(axes).sqrt();
    GraphExpression divisor = deviation.add(made.single("epsilon", 1e-9f).castLike(x));
    return isWide
      ? made.last(difference).div(divisor).results()
      : made.last(difference.div(divisor)).castLike(given).results();
  }
}
