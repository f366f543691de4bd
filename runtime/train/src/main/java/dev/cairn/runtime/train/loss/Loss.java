package dev.cairn.runtime.train.loss;

import dev.cairn.runtime.expression.Expression;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A distance from predictions to labels, over any expression. Its result is the mean over all elements, unless another
 * reduction is chosen. A loss of your own extends this class and says in {@link #each} what it is of each element.
 */
public abstract class Loss {
  private final Reduction reduction;

  /** How the losses of all elements are combined. */
  public enum Reduction {
    /** They stay as they are. */
    NONE("none"),
    /** Their mean, a scalar. */
    MEAN("mean"),
    /** Their sum, a scalar. */
    SUM("sum");

    private final String word;

    Reduction(String word) {
      this.word = word;
    }

    /** The word by which ONNX's attribute {@code reduction} names it. */
    String word() {
      return word;
    }

    <T extends Expression<T>> T of(T losses) {
      return switch (this) {
        case NONE -> losses;
        case MEAN -> losses.mean();
        case SUM -> losses.sum();
      };
    }
  }

  protected Loss(Reduction reduction) {
    this.reduction = reduction;
  }

  public final Reduction reduction() {
    return reduction;
  }

  /**
   * The losses, not reduced.
   *
   * @param operands predictions first, the label last
   */
  protected abstract <T extends Expression<T>> T each(List<T> operands);

  /** The reduced loss, for one that has an operator of its own. */
  <T extends Expression<T>> T reduced(List<T> operands) {
    return reduction.of(each(operands));
  }

  /** How many predictions there are beside the label. */
  protected int predictions() {
    return 1;
  }

  /** The loss of a prediction and its label. */
  public final <T extends Expression<T>> T of(T prediction, T label) {
    return ofAll(List.of(prediction, label), null);
  }

  /** @param weights times which the losses are taken before they are reduced; broadcast to them */
  public final <T extends Expression<T>> T of(T prediction, T label, T weights) {
    return ofAll(List.of(prediction, label), weights);
  }

  /**
   * A loss of several predictions and a label.
   *
   * @param operands predictions first, the label last
   * @param weights null for none
   * @throws IllegalArgumentException when the loss has another number of operands
   */
  public final <T extends Expression<T>> T ofAll(List<T> operands, @Nullable T weights) {
    if (operands.size() != predictions() + 1) {
      throw new IllegalArgumentException("a loss has other operands: loss=%s wanted=%d given=%d".formatted(getClass()
        .getSimpleName(), predictions() + 1, operands.size()));
    }
    return weights == null ? reduced(operands) : reduction.of(each(operands).mul(weights));
  }
}
