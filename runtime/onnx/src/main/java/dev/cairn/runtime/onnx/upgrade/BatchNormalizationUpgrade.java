package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/**
 * At inference, momentum and training mode say nothing. Until opset 7, {@code is_test=0} asked for training; a file
 * without that attribute is for inference, as ONNX's own converter reads it. Until opset 9, {@code spatial=0} asked for
 * statistics of each element instead of each channel.
 */
final class BatchNormalizationUpgrade implements Upgrade {
  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    boolean trains = given.getFlag("training_mode", false) || !given.getFlag("is_test", true);
    Attributes rest = given.without("training_mode").without("is_test").without("spatial");
    if (!given.getFlag("spatial", true)) {
      return ofElements(old, trains, scope);
    }
    return scope.node(old.withAttributes(trains ? rest.with("training_mode", 1) : rest.without("momentum")));
  }

  private static List<NodeEntry> ofElements(OldNode old, boolean trains, UpgradeScope scope) {
    var made = new Replacement(old, scope);
    GraphExpression x = made.input(0);
    GraphExpression batch = made.longs("batch", 0);
    GraphExpression mean = trains ? x.meanKept(batch) : made.input(3);
    GraphExpression difference = x.sub(mean);
    GraphExpression variance = trains ? difference.square().meanKept(batch) : made.input(4);
    GraphExpression normal = difference.div(variance.add(made.attribute("epsilon", 1e-5f)).sqrt());
    return made.last(normal.mul(made.input(1))).add(made.input(2)).results();
  }
}
