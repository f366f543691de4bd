package dev.cairn.runtime.onnx.upgrade;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.GraphExpression;
import dev.cairn.runtime.graph.NodeEntry;
import java.util.List;

/**
 * Until opset 2, the power of {@code LpPool} and {@code GlobalLpPool} was a real number. One that is not whole is
 * written with means:
 *
 * <pre> LpPool{p}(x)  →  (AveragePool{count_include_pad=1}(|x|ᵖ) * elements of a window)^(1/p) </pre>
 */
final class PoolPowerUpgrade implements Upgrade {
  private final boolean isGlobal;

  /** @param isGlobal whether all elements of a channel are one window */
  PoolPowerUpgrade(boolean isGlobal) {
    this.isGlobal = isGlobal;
  }

  @Override
  public List<NodeEntry> apply(OldNode old, UpgradeScope scope) {
    Attributes given = old.attributes();
    if (!(given.find("p").orElse(null) instanceof AttributeValue.Real(float power))) {
      return scope.node(old);
    }
    if (power == Math.rint(power)) {
      return scope.node(old.withAttributes(given.with("p", (long) power)));
    }
    var made = new Replacement(old, scope);
    GraphExpression powers = made.input(0).abs().pow(made.likeFirst("p", power));
    GraphExpression sums = isGlobal
      ? powers.globalAvgPool().mul(made.input(0).extents(Attributes.NONE.with("start", 2)).prod().castLike(powers))
      : powers.avgPool(given.without("p").with("count_include_pad", 1)).mul(made.likeFirst("window", elements(given)));
    return made.last(sums).pow(made.likeFirst("root", 1 / power)).results();
  }

  private static float elements(Attributes given) {
    float elements = 1;
    for (long extent : given.getLongs("kernel_shape")) {
      elements *= (float) extent;
    }
    return elements;
  }
}
