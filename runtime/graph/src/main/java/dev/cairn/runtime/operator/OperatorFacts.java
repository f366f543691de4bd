package dev.cairn.runtime.operator;

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
 * @param channelsLast how the operator is computed on images with their channels last
 * @param onnx how files have the operator
 * @param tensorflow what TensorFlow calls the operator; empty if it has the same name there
 */
public record OperatorFacts(Set<OperatorTrait> traits, int draw, RangeRule range, WorkRule work,
  UnchangedRule unchanged, ChannelsLastRule channelsLast, OnnxFacts onnx, String tensorflow) {
  /** The facts of most operators. */
  public static final OperatorFacts NONE = new OperatorFacts(Set.of(), -1, RangeRule.NONE, WorkRule.ELEMENTS,
    UnchangedRule.NEVER, ChannelsLastRule.NONE, OnnxFacts.NONE, "");

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
    return new OperatorFacts(Collections.unmodifiableSet(all), draw, range, work, unchanged, channelsLast, onnx,
      tensorflow);
  }

  OperatorFacts without(OperatorTrait trait) {
    Set<OperatorTrait> all = EnumSet.noneOf(OperatorTrait.class);
    all.addAll(traits);
    all.remove(trait);
    return new OperatorFacts(Collections.unmodifiableSet(all), draw, range, work, unchanged, channelsLast, onnx,
      tensorflow);
  }

  OperatorFacts drawing(int input) {
    return new OperatorFacts(traits, input, range, work, unchanged, channelsLast, onnx, tensorflow);
  }

  OperatorFacts ranged(RangeRule rule) {
    return new OperatorFacts(traits, draw, rule, work, unchanged, channelsLast, onnx, tensorflow);
  }

  OperatorFacts working(WorkRule rule) {
    return new OperatorFacts(traits, draw, range, rule, unchanged, channelsLast, onnx, tensorflow);
  }

  OperatorFacts unchanged(UnchangedRule rule) {
    return new OperatorFacts(traits, draw, range, work, rule, channelsLast, onnx, tensorflow);
  }

  OperatorFacts channelsLast(ChannelsLastRule rule) {
    return new OperatorFacts(traits, draw, range, work, unchanged, rule, onnx, tensorflow);
  }

  OperatorFacts onnx(OnnxFacts other) {
    return new OperatorFacts(traits, draw, range, work, unchanged, channelsLast, other, tensorflow);
  }

  OperatorFacts tensorflow(String name) {
    return new OperatorFacts(traits, draw, range, work, unchanged, channelsLast, onnx, name);
  }
}
