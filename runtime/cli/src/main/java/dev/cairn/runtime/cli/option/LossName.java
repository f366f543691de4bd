package dev.cairn.runtime.cli.option;

import dev.cairn.kernels.tensor.DType;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.train.loss.Loss;
import dev.cairn.runtime.train.loss.Losses;
import java.util.Arrays;
import java.util.Locale;

/** The losses that the command line offers for a model of which it knows nothing else. */
public enum LossName {
  /** Classes along the last axis, and the number of one for each item. */
  SOFTMAX,
  /** Labels like the output. */
  L2;

  public Loss loss() {
    return this == SOFTMAX ? Losses.softmaxCrossEntropy().alongLastAxis() : Losses.l2();
  }

  /** The type of labels for an output of this type. */
  public TensorType labels(TensorType output) {
    if (this == L2) {
      return output;
    }
    if (output.shape().rank() < 2) {
      throw new IllegalArgumentException("a softmax needs items and classes: output=%s; choose --loss l2".formatted(
        output));
    }
    long[] extents = output.shape().extents();
    return new TensorType(DType.INT64, Shape.of(Arrays.copyOf(extents, extents.length - 1)));
  }

  /** The word that is typed. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
