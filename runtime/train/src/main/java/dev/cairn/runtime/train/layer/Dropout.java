package dev.cairn.runtime.train.layer;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.Expression;
import java.util.List;

/**
 * In training, sets elements to 0 at random, and scales the others so that the mean stays. Else it does nothing.
 */
public final class Dropout extends Layer {
  private final double ratio;

  private Dropout(double ratio) {
    this.ratio = ratio;
  }

  /** @param ratio how many elements are dropped: from 0, none, to 1, all */
  public static Dropout of(double ratio) {
    if (!(ratio >= 0 && ratio <= 1)) {
      throw new IllegalArgumentException("a ratio is from 0 to 1: ratio=" + ratio);
    }
    return new Dropout(ratio);
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    if (!pass.isTraining() || ratio == 0) {
      return x;
    }
    T dropped = x.callAll("RandomUniformLike", Attributes.NONE, 1, List.of(pass.draw())).getFirst().lt(ratio);
    return ratio == 1 ? x.mul(0) : dropped.where(x.mul(0), x.mul(1 / (1 - ratio)));
  }
}
