package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.OperatorTrait.NOT_MIRRORED;

import dev.cairn.kernels.attribute.ClassLoss;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.MemoryTraits.Pair;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import java.util.List;

/**
 * Losses of scores {@code [N,C,...]} for labels {@code [N,...]}, with a weight for each class, and their gradients.
 *
 * <p>In place is allowed where kernels read all scores of an item before they write one of them.
 */
public final class LossFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("NegativeLogLikelihoodLoss", 2, 3, LossFamily::likelihood, MemoryTraits.NONE).named("input",
      "target", "weight"),
    new OperatorDefinition("NegativeLogLikelihoodLossGradient", 2, 3, LossFamily::likelihoodGradient,
      MemoryTraits.NONE).named("head", "target", "weight"),
    new OperatorDefinition("SoftmaxCrossEntropyLoss", 2, 3, LossFamily::crossEntropy, new MemoryTraits(List.of(
      new Pair(0, 1)), false)).named("scores", "labels", "weights").with(NOT_MIRRORED),
    new OperatorDefinition("SoftmaxCrossEntropyLossGradient", 3, 4, LossFamily::crossEntropyGradient,
      new MemoryTraits(List.of(new Pair(1, 0)), false)).named("head", "scores", "labels", "weights"));

  private LossFamily() {}

  private static ClassLoss loss(TypeContext context) {
    return ClassLoss.of(context.attributes());
  }

  /** Checks labels and weights, which follow the scores. */
  private static void requireLabels(TypeContext context, int scores) {
    AdmittedTypes.FLOATS.require(context, scores, scores + 2);
    Shape x = context.shape(scores);
    if (x.rank() < 2) {
      throw context.fault("scores have axes for items and classes: input=%d scores=%s".formatted(scores, x));
    }
    requireLabels(context, scores + 1, ClassLoss.labels(x), x.extent(1));
  }

  private static void requireLabels(TypeContext context, int labels, Shape wanted, long classes) {
    AdmittedTypes.INDEXES.require(context, labels);
    if (!context.shape(labels).equals(wanted)) {
      throw context.fault("one label for each item is needed: labels=%s wanted=%s".formatted(context.shape(labels),
        wanted));
    }
    if (context.has(labels + 1) && !context.shape(labels + 1).equals(Shape.of(classes))) {
      throw context.fault("one weight for each class is needed: weights=%s classes=%d".formatted(context.shape(labels
        + 1), classes));
    }
  }

  private static List<TensorType> likelihood(TypeContext context) {
    ClassLoss loss = loss(context);
    requireLabels(context, 0);
    return List.of(context.input(0).withShape(loss.result(context.shape(1))));
  }

  /** The second result has the logarithms of the likelihoods. */
  private static List<TensorType> crossEntropy(TypeContext context) {
    List<TensorType> results = List.of(likelihood(context).getFirst(), context.input(0));
    return results.subList(0, Math.min(context.outputCount(), results.size()));
  }

  private static void requireHead(TypeContext context, Shape labels) {
    Shape wanted = loss(context).result(labels);
    if (!context.shape(0).equals(wanted)) {
      throw context.fault("not the shape of the loss: head=%s wanted=%s".formatted(context.shape(0), wanted));
    }
  }

  private static List<TensorType> crossEntropyGradient(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0, 1);
    requireLabels(context, 1);
    requireHead(context, context.shape(2));
    return List.of(context.input(1));
  }

  /** Attribute {@code classes} is the number of classes. */
  private static List<TensorType> likelihoodGradient(TypeContext context) {
    AdmittedTypes.FLOATS.require(context, 0, 2);
    long classes = ClassLoss.classes(context.attributes());
    Shape labels = context.shape(1);
    if (classes < 1 || labels.rank() < 1) {
      throw context.fault("classes and labels are needed: classes=%d labels=%s".formatted(classes, labels));
    }
    requireLabels(context, 1, labels, classes);
    requireHead(context, labels);
    return List.of(context.input(0).withShape(ClassLoss.scores(labels, classes)));
  }
}
