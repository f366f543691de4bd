package dev.cairn.runtime.train.layer;

import static dev.cairn.runtime.graph.PartialType.OPEN;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.Expression;
import dev.cairn.runtime.train.initializer.Initializers;
import java.util.List;

/**
 * Normalises each channel: in training by the statistics of the batch, else by running statistics. The parameters are
 * {@code weight [C]} and {@code bias [C]}, the states {@code running_mean} and {@code running_var}.
 *
 * <p>The momentum counts as ONNX's does: a running value becomes {@code running·momentum + batch·(1-momentum)}, so that
 * 0.9 is PyTorch's 0.1. The variance is over N, not N-1.
 */
public final class BatchNorm extends Layer {
  private final float momentum;
  private final float epsilon;
  private final Parameter weight = parameter("weight", Initializers.one(), OPEN);
  private final Parameter bias = parameter("bias", Initializers.zero(), OPEN);
  private final Parameter mean = state("running_mean", Initializers.zero(), OPEN);
  private final Parameter variance = state("running_var", Initializers.one(), OPEN);

  private BatchNorm(float momentum, float epsilon) {
    this.momentum = momentum;
    this.epsilon = epsilon;
  }

  /** A layer with momentum 0.9 and epsilon 1e-5. */
  public static BatchNorm of() {
    return of(0.9f, 1e-5f);
  }

  /** @param momentum what stays of a running value */
  public static BatchNorm of(float momentum, float epsilon) {
    return new BatchNorm(momentum, epsilon);
  }

  @Override
  protected <T extends Expression<T>> T forward(LayerPass<T> pass, T x) {
    var attributes = Attributes.NONE.with("epsilon", new AttributeValue.Real(epsilon));
    List<T> operands = List.of(pass.value(weight), pass.value(bias), pass.value(mean), pass.value(variance));
    if (!pass.isTraining()) {
      return x.batchNorm(attributes, 1, operands).getFirst();
    }
    var training = attributes.with("momentum", new AttributeValue.Real(momentum)).with("training_mode", 1);
    List<T> results = x.batchNorm(training, 3, operands);
    pass.update(mean, results.get(1));
    pass.update(variance, results.get(2));
    return results.get(0);
  }
}
