package dev.cairn.kernels.cpu.loss;

import dev.cairn.kernels.attribute.ClassLoss;
import dev.cairn.kernels.tensor.TensorView;
import org.jspecify.annotations.Nullable;

/**
 * The items of a loss over classes: each has a label, and the weight of its class.
 *
 * @param weights one for each class; null if all are 1
 */
record LabelledItems(ClassLoss loss, TensorView labels, @Nullable TensorView weights, long classes) {

  long count() {
    return labels.elementCount();
  }

  boolean isIgnored(long item) {
    return loss.ignores() && labels.longAt(item) == loss.ignored();
  }

  /**
   * The class of an item that counts.
   *
   * @throws IllegalArgumentException if the label is no class
   */
  int label(long item) {
    long label = labels.longAt(item);
    if (label < 0 || label >= classes) {
      throw new IllegalArgumentException(
        "a label is no class: label=%d classes=%d item=%d of %s; correct the label, or "
          .formatted(label, classes, item, labels.shape()) + "name it in ignore_index if such items do not count");
    }
    return (int) label;
  }

  /** The weight of an item; 0 if it is ignored. */
  double weight(long item) {
    if (isIgnored(item)) {
      return 0;
    }
    int label = label(item);
    return weights == null ? 1 : weights.doubleAt(label);
  }

  /** The divisor of the losses' sum: 1, or for a mean the sum of all weights. */
  double normalizer() {
    if (loss.reduction() != ClassLoss.Kind.MEAN) {
      return 1;
    }
    double sum = 0;
    for (long item = 0; item < count(); item++) {
      sum += weight(item);
    }
    return sum;
  }
}
