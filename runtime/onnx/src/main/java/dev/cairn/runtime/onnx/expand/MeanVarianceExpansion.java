package dev.cairn.runtime.onnx.expand;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.graph.NodeEntry;
import dev.cairn.runtime.onnx.upgrade.OldNode;
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
    NodeEntry x = old.input(0);
    NodeEntry axes = scope.longs(old, "axes", old.attributes().getLongs("axes", 0, 2, 3));
    NodeEntry mean = scope.node(old, "ReduceMean", Attributes.NONE, x, axes);
    NodeEntry difference = scope.node(old, "Sub", Attributes.NONE, x, mean);
    NodeEntry square = scope.node(old, "Mul", Attributes.NONE, difference, difference);
    NodeEntry variance = scope.node(old, "ReduceMean", Attributes.NONE, square, axes);
    NodeEntry deviation = scope.node(old, "Sqrt", Attributes.NONE, variance);
    NodeEntry least = scope.node(old, "CastLike", Attributes.NONE, scope.single(old, "epsilon", 1e-9f), x);
    NodeEntry divisor = scope.node(old, "Add", Attributes.NONE, deviation, least);
    return scope.node(old.as("Div", Attributes.NONE, difference, divisor));
  }
}
