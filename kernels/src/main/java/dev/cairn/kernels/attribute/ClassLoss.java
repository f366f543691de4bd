package dev.cairn.kernels.attribute;

import dev.cairn.kernels.tensor.Shape;

/**
 * The attributes and shapes of a loss over classes: scores {@code [N,C,...]} and labels {@code [N,...]}.
 *
 * @param reduction how the losses of all items become one
 * @param ignores whether items with label {@code ignored} do not count
 */
public record ClassLoss(Kind reduction, boolean ignores, long ignored) {
  /** The values of attribute {@code reduction}. */
  public enum Kind {
    NONE,
    SUM,
    /** The sum of the losses over the sum of the weights. */
    MEAN
  }

  /** @throws IllegalArgumentException if there is no such reduction */
  public static ClassLoss of(Attributes attributes) {
    Kind reduction = switch (attributes.getText("reduction", "mean")) {
      case "none" -> Kind.NONE;
      case "sum" -> Kind.SUM;
      case "mean" -> Kind.MEAN;
      default -> throw new IllegalArgumentException("no such reduction: reduction=\"%s\"; use none, sum or mean"
        .formatted(attributes.getText("reduction", "mean")));
    };
    return new ClassLoss(reduction, attributes.has("ignore_index"), attributes.getLong("ignore_index", 0));
  }

  /** The number of classes of a {@code NegativeLogLikelihoodLossGradient}: attribute {@code classes}. */
  public static long classes(Attributes attributes) {
    return attributes.getLong("classes", 0);
  }

  /** The shape of the labels for these scores. */
  public static Shape labels(Shape scores) {
    long[] all = scores.extents();
    long[] labels = new long[all.length - 1];
    labels[0] = all[0];
    System.arraycopy(all, 2, labels, 1, all.length - 2);
    return Shape.of(labels);
  }

  /** The shape of the scores of these labels. */
  public static Shape scores(Shape labels, long classes) {
    long[] items = labels.extents();
    long[] scores = new long[items.length + 1];
    scores[0] = items[0];
    scores[1] = classes;
    System.arraycopy(items, 1, scores, 2, items.length - 1);
    return Shape.of(scores);
  }

  /** The shape of the loss. */
  public Shape result(Shape labels) {
    return reduction == Kind.NONE ? labels : Shape.SCALAR;
  }
}
