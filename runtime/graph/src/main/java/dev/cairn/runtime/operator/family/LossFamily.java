package dev.cairn.runtime.operator.family;

import static dev.cairn.runtime.operator.OperatorTrait.UNMIRRORED;
import static dev.cairn.runtime.operator.gradient.OperatorGradient.SECOND_DERIVATIVE;

import dev.cairn.kernels.attribute.ClassLoss;
import dev.cairn.kernels.tensor.Shape;
import dev.cairn.kernels.tensor.TensorType;
import dev.cairn.runtime.operator.MemoryTraits;
import dev.cairn.runtime.operator.MemoryTraits.Pair;
import dev.cairn.runtime.operator.OperatorDefinition;
import dev.cairn.runtime.operator.TypeContext;
import dev.cairn.runtime.operator.gradient.LossGradients;
import java.util.List;

/**
 * Losses of scores {@code [N,C,...]} for labels {@code [N,...]}, with a weight for each class, and their gradients.
 *
 * <p>In place is allowed where kernels read all scores of an item before they write one of them.
 */
public final class LossFamily {
  public static final List<OperatorDefinition> ROWS = List.of( //
    new OperatorDefinition("NegativeLogLikelihoodLoss", 2, 3, LossFamily::likelihood, MemoryTraits.NONE).named("input",
      "target", "weight").gradient(LossGradients::likelihood),
    new OperatorDefinition("NegativeLogLikelihoodLossGradient", 2, 3, LossFamily::likelihoodGradient,
      MemoryTraits.NONE).named("head", "target", "weight").noGradient(SECOND_DERIVATIVE),
    new OperatorDefinition("SoftmaxCrossEntropyLoss", 2, 3, LossFamily::crossEntropy, new MemoryTraits(List.of(
      new Pair(0, 1)), false)).named("scores", "labels", "weights").with(UNMIRRORED)
      .gradient(LossGradients::crossEntropy),
    new OperatorDefinition("SoftmaxCrossEntropyLossGradient", 3, 4, LossFamily::crossEntropyGradient,
      new MemoryTraits(List.of(new Pair(1, 0)), false)).named("head", "scores", "labels", "weights")
      .noGradient(SECOND_DERIVATIVE));

  private LossFamily() {}

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
    context.requireShape(labels, wanted, "one label for each item is needed");
    context.requireShape(labels + 1, Shape.of(classes), "one weight for each class is needed");
  }

  private static List<TensorType> likelihood(TypeContext context) {
    ClassLoss loss = ClassLoss.of(context.attributes());
    requireLabels(context, 0);
    return List.of(context.input(0).withShape(loss.result(context.shape(1))));
  }

  /** The second result has the logarithms of the likelihoods. */
  private static List<TensorType> crossEntropy(TypeContext context) {
    return context.first(likelihood(context).getFirst(), context.input(0));
  }

  private static void requireHead(TypeContext context, Shape labels) {
    context.requireShape(0, ClassLoss.of(context.attributes()).result(labels), "not the shape of the loss");
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
