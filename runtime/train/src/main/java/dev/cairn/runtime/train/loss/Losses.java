package dev.cairn.runtime.train.loss;

import dev.cairn.runtime.train.loss.ElementLoss.Kind;
import dev.cairn.runtime.train.loss.Loss.Reduction;

/** The losses, by name. A loss without a reduction is the mean over all elements or items. */
public final class Losses {
  private Losses() {}

  /** {@code |prediction - label|}. */
  public static Loss l1() {
    return l1(Reduction.MEAN);
  }

  public static Loss l1(Reduction reduction) {
    return new ElementLoss(reduction, Kind.L1, 0);
  }

  /** {@code ½(prediction - label)²}. */
  public static Loss l2() {
    return l2(Reduction.MEAN);
  }

  public static Loss l2(Reduction reduction) {
    return new ElementLoss(reduction, Kind.L2, 0);
  }

  /** The cross entropy of {@code softmax(logits [N,C,...])} and labels {@code int64[N,...]}, as one operator. */
  public static CrossEntropy softmaxCrossEntropy() {
    return softmaxCrossEntropy(Reduction.MEAN);
  }

  public static CrossEntropy softmaxCrossEntropy(Reduction reduction) {
    return new CrossEntropy(reduction, true, false, 1, null);
  }

  /** The same of logarithms of probabilities, such as {@code logSoftmax} gives. */
  public static CrossEntropy nll() {
    return nll(Reduction.MEAN);
  }

  public static CrossEntropy nll(Reduction reduction) {
    return new CrossEntropy(reduction, false, false, 1, null);
  }

  /** The cross entropy of {@code sigmoid(prediction)} and labels from 0 to 1, right for large predictions too. */
  public static Loss sigmoidCrossEntropy() {
    return sigmoidCrossEntropy(Reduction.MEAN, 1);
  }

  /** @param positiveWeight the factor of the part of the loss that label 1 has */
  public static Loss sigmoidCrossEntropy(Reduction reduction, double positiveWeight) {
    return new ElementLoss(reduction, Kind.SIGMOID_CROSS_ENTROPY, positiveWeight);
  }

  /** The cross entropy of probabilities and labels from 0 to 1. */
  public static Loss binaryCrossEntropy(Reduction reduction) {
    return new ElementLoss(reduction, Kind.BINARY_CROSS_ENTROPY, 0);
  }

  /** The divergence of S. Kullback and R. Leibler: labels are probabilities, predictions logarithms of them. */
  public static Loss kl(Reduction reduction) {
    return new ElementLoss(reduction, Kind.KL, 0);
  }

  /** {@code ½d²/rho} of distances up to {@code rho}, and {@code d - rho/2} of larger ones. */
  public static Loss huber(Reduction reduction, double rho) {
    return new ElementLoss(reduction, Kind.HUBER, rho);
  }

  /** {@code max(0, margin - prediction·label)}, with labels -1 and 1. */
  public static Loss hinge(Reduction reduction, double margin) {
    return new ElementLoss(reduction, Kind.HINGE, margin);
  }

  /** The square of {@link #hinge}. */
  public static Loss squaredHinge(Reduction reduction, double margin) {
    return new ElementLoss(reduction, Kind.SQUARED_HINGE, margin);
  }

  /** {@code log(1 + exp(-prediction·label))}, with labels -1 and 1. */
  public static Loss logistic(Reduction reduction) {
    return new ElementLoss(reduction, Kind.LOGISTIC, 0);
  }

  /** The likelihood of counts, whose expectation's logarithm is predicted: {@code exp(p) - label·p}. */
  public static Loss poissonFromLogarithms(Reduction reduction) {
    return new ElementLoss(reduction, Kind.POISSON_LOG, 0);
  }

  /** The likelihood of counts, whose expectation is predicted: {@code p - label·log(p + epsilon)}. */
  public static Loss poisson(Reduction reduction, double epsilon) {
    return new ElementLoss(reduction, Kind.POISSON, epsilon);
  }

  /** Operands anchor, positive and negative, by item: {@code max(0, |p - a|² - |n - a|² + margin)}. */
  public static Loss triplet(Reduction reduction, double margin) {
    return new VectorLoss(reduction, true, margin);
  }

  /**
   * Operands a, b and a label for each item: {@code 1 - cos(a, b)} for label 1, {@code max(0, cos(a, b) - margin)} for
   * label -1. The vectors are the last axis.
   */
  public static Loss cosine(Reduction reduction, double margin) {
    return new VectorLoss(reduction, false, margin);
  }
}
