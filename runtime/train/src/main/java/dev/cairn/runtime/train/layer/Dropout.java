package dev.cairn.runtime.train.layer;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorView;
import dev.cairn.runtime.expression.Expression;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * In training, sets elements to 0 at random, and scales the others so that the mean stays. Otherwise it does nothing.
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
    LayerPass.Draw<T> draw = pass.draw();
    Attributes attributes = Attributes.NONE.with("training_mode", 1).with("draw", draw.number());
    List<@Nullable T> operands = new ArrayList<>();
    operands.add(x.constant(TensorView.ofFloats(Shape.SCALAR, (float) ratio)));
    operands.add(null);
    operands.add(draw.random());
    return x.callAll(Operators.DROPOUT, attributes, 1, operands).getFirst();
  }
}
