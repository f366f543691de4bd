package dev.cairn.runtime.train.layer;

import static dev.cairn.runtime.graph.PartialType.OPEN;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.train.initializer.Initializers;
import java.util.List;

/** Normalises groups of channels. The parameters are {@code weight [C]} and {@code bias [C]}. */
public final class GroupNorm extends Layer {
  private final long groups;
  private final float epsilon;
  private final Parameter weight = parameter("weight", Initializers.one(), OPEN);
  private final Parameter bias = parameter("bias", Initializers.zero(), OPEN);

  private GroupNorm(long groups, float epsilon) {
    this.groups = groups;
    this.epsilon = epsilon;
  }

  /** A layer with epsilon 1e-5. */
  public static GroupNorm of(long groups) {
    return of(groups, 1e-5f);
  }

  public static GroupNorm of(long groups, float epsilon) {
    return new GroupNorm(groups, epsilon);
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    var attributes = Attributes.NONE.with("num_groups", groups).with("epsilon", new AttributeValue.Real(epsilon));
    return x.callAll(Operators.GROUP_NORMALIZATION, attributes, 1, List.of(pass.value(weight), pass.value(bias)))
      .getFirst();
  }
}
