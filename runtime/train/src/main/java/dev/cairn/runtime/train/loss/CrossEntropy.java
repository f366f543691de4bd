package dev.cairn.runtime.train.loss;

import dev.cairn.kernels.attribute.AttributeValue;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.runtime.expression.Expression;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cross entropy of classes: {@code -log(probability)} of the labelled class, or of a distribution over classes.
 * Scores are {@code [N,C,...]} and labels {@code [N,...]}, unless another axis has the classes. Immutable.
 */
public final class CrossEntropy extends Loss {
  private final boolean isLogits;
  private final boolean isDistribution;
  private final int axis;
  private final @Nullable Long ignored;

  CrossEntropy(Reduction reduction, boolean isLogits, boolean isDistribution, int axis, @Nullable Long ignored) {
    super(reduction);
    this.isLogits = isLogits;
    this.isDistribution = isDistribution;
    this.axis = axis;
    this.ignored = ignored;
  }

  /** The classes are the last axis of the scores, as in {@code [N,T,C]}. */
  public CrossEntropy alongLastAxis() {
    return new CrossEntropy(reduction(), isLogits, isDistribution, -1, ignored);
  }

  /** Labels are distributions over the classes, with the shape of the scores. */
  public CrossEntropy withDistributions() {
    return new CrossEntropy(reduction(), isLogits, true, axis, ignored);
  }

  /** Items with this label do not count, neither in the sum nor in the number of items. */
  public CrossEntropy ignoring(long label) {
    return new CrossEntropy(reduction(), isLogits, isDistribution, axis, label);
  }

  @Override
  <T extends Expression<T>> T reduced(List<T> operands) {
    if (isDistribution) {
      return super.reduced(operands);
    }
    return loss(operands, reduction());
  }

  @Override
  protected <T extends Expression<T>> T each(List<T> operands) {
    if (!isDistribution) {
      return loss(operands, Reduction.NONE);
    }
    T scores = operands.get(0);
    T logarithms = isLogits ? scores.logSoftmax(axis) : scores;
    return logarithms.mul(operands.get(1)).sum(axis).neg();
  }

  /** The operator of ONNX, which has the classes along axis 1: other scores become rows, which moves no bytes. */
  private <T extends Expression<T>> T loss(List<T> operands, Reduction reduction) {
    String operator = isLogits ? "SoftmaxCrossEntropyLoss" : "NegativeLogLikelihoodLoss";
    Attributes attributes = Attributes.NONE.with("reduction", new AttributeValue.Text(reduction.word()));
    Attributes all = ignored == null ? attributes : attributes.with("ignore_index", ignored);
    T scores = operands.get(0);
    T labels = operands.get(1);
    if (axis == 1) {
      return scores.call(operator, all, labels);
    }
    T rows = scores.flatten(-1);
    T losses = rows.call(operator, all, labels.reshape(-1));
    return reduction == Reduction.NONE
      ? losses.reshapeKeeping(labels.extents(Attributes.NONE))
      : losses;
  }
}
