package dev.cairn.runtime.operator;

import dev.cairn.runtime.operator.gradient.OperatorGradient;
import dev.cairn.runtime.operator.partial.PartialRule;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The facts of an operator that passes and analyses use, beside its types and its memory.
 *
 * @param traits that hold
 * @param draw the optional input with seed and first draw, of an operator that draws random numbers; -1 for others
 * @param range between which numbers results lie that only a run knows
 * @param work how many operations a use takes
 * @param unchanged when the result is the first input
 * @param gradient how the gradient is built, or why there is none
 * @param partial what a use tells of types that are known in part
 * @param weights the inputs where layers have their parameters
 * @param channelsLast how the operator is computed on images with their channels last
 * @param onnx how files have the operator
 * @param tensorflow what TensorFlow calls the operator; empty if it has the same name there
 */
public record OperatorFacts(Set<OperatorTrait> traits, int draw, RangeRule range, WorkRule work,
  UnchangedRule unchanged, OperatorGradient gradient, PartialRule partial, Set<Integer> weights,
  ChannelsLastRule channelsLast, OnnxFacts onnx, String tensorflow) {
  /** The facts of most operators. */
  public static final OperatorFacts NONE = new OperatorFacts(Set.of(), -1, RangeRule.NONE, WorkRule.ELEMENTS,
    UnchangedRule.NEVER, OperatorGradient.UNKNOWN, PartialRule.NOTHING, Set.of(), ChannelsLastRule.NONE, OnnxFacts.NONE,
    "");

  public boolean has(OperatorTrait trait) {
    return traits.contains(trait);
  }

  /** Whether the operator draws random numbers. */
  public boolean draws() {
    return draw >= 0;
  }

  /** Whether the operator does more than one operation for each element of its result, as products do. */
  public boolean isHeavy() {
    return !work.equals(WorkRule.ELEMENTS);
  }

  OperatorFacts with(OperatorTrait... more) {
    Set<OperatorTrait> all = EnumSet.noneOf(OperatorTrait.class);
    all.addAll(traits);
    all.addAll(List.of(more));
    return new OperatorFacts(Collections.unmodifiableSet(all), draw, range, work, unchanged, gradient, partial, weights,
      channelsLast, onnx, tensorflow);
  }

  OperatorFacts without(OperatorTrait trait) {
    Set<OperatorTrait> all = EnumSet.noneOf(OperatorTrait.class);
    all.addAll(traits);
    all.remove(trait);
    return new OperatorFacts(Collections.unmodifiableSet(all), draw, range, work, unchanged, gradient, partial, weights,
      channelsLast, onnx, tensorflow);
  }

  OperatorFacts drawing(int input) {
    return new OperatorFacts(traits, input, range, work, unchanged, gradient, partial, weights, channelsLast, onnx,
      tensorflow);
  }

  OperatorFacts ranged(RangeRule rule) {
    return new OperatorFacts(traits, draw, rule, work, unchanged, gradient, partial, weights, channelsLast, onnx,
      tensorflow);
  }

  OperatorFacts working(WorkRule rule) {
    return new OperatorFacts(traits, draw, range, rule, unchanged, gradient, partial, weights, channelsLast, onnx,
      tensorflow);
  }

  OperatorFacts unchanged(UnchangedRule rule) {
    return new OperatorFacts(traits, draw, range, work, rule, gradient, partial, weights, channelsLast, onnx,
      tensorflow);
  }

  OperatorFacts withGradient(OperatorGradient other) {
    return new OperatorFacts(traits, draw, range, work, unchanged, other, partial, weights, channelsLast, onnx,
      tensorflow);
  }

  OperatorFacts withPartial(PartialRule rule) {
    return new OperatorFacts(traits, draw, range, work, unchanged, gradient, rule, weights, channelsLast, onnx,
      tensorflow);
  }

  OperatorFacts withWeights(Set<Integer> inputs) {
    return new OperatorFacts(traits, draw, range, work, unchanged, gradient, partial, inputs, channelsLast, onnx,
      tensorflow);
  }

  OperatorFacts channelsLast(ChannelsLastRule rule) {
    return new OperatorFacts(traits, draw, range, work, unchanged, gradient, partial, weights, rule, onnx, tensorflow);
  }

  OperatorFacts onnx(OnnxFacts other) {
    return new OperatorFacts(traits, draw, range, work, unchanged, gradient, partial, weights, channelsLast, other,
      tensorflow);
  }

  OperatorFacts tensorflow(String name) {
    return new OperatorFacts(traits, draw, range, work, unchanged, gradient, partial, weights, channelsLast, onnx,
      name);
  }
}
