package dev.cairn.runtime.operator;

import dev.cairn.runtime.operator.gradient.OperatorGradient;
import dev.cairn.runtime.operator.partial.PartialRule;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What passes and analyses ask of an operator, beside its types and its memory.
 *
 * @param traits that hold
 * @param draw the optional input with seed and first draw, of an operator that draws random numbers; -1 for others
 * @param range between which numbers results lie that only a run knows
 * @param work how many operations a use takes
 * @param unchanged when the result is the first input
 * @param gradient how the gradient is built, or why there is none
 * @param partial what a use tells of types that are known in part
 * @param since ONNX's operator set that brought the operator, if that is later than the one of graphs; else 0
 * @param weights the inputs where layers have their parameters
 */
public record OperatorFacts(Set<OperatorTrait> traits, int draw, RangeRule range, WorkRule work,
  UnchangedRule unchanged, OperatorGradient gradient, PartialRule partial, int since, Set<Integer> weights) {
  /** The facts of most operators. */
  public static final OperatorFacts NONE = new OperatorFacts(Set.of(), -1, RangeRule.NONE, WorkRule.ELEMENTS,
    UnchangedRule.NEVER, OperatorGradient.UNKNOWN, PartialRule.NOTHING, 0, Set.of());

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
    return new OperatorFacts(Collections.unmodifiableSet(all), draw, range, work, unchanged, gradient, partial, since,
      weights);
  }

  OperatorFacts drawing(int input) {
    return new OperatorFacts(traits, input, range, work, unchanged, gradient, partial, since, weights);
  }

  OperatorFacts ranged(RangeRule rule) {
    return new OperatorFacts(traits, draw, rule, work, unchanged, gradient, partial, since, weights);
  }

  OperatorFacts working(WorkRule rule) {
    return new OperatorFacts(traits, draw, range, rule, unchanged, gradient, partial, since, weights);
  }

  OperatorFacts unchanged(UnchangedRule rule) {
    return new OperatorFacts(traits, draw, range, work, rule, gradient, partial, since, weights);
  }

  OperatorFacts withGradient(OperatorGradient other) {
    return new OperatorFacts(traits, draw, range, work, unchanged, other, partial, since, weights);
  }

  OperatorFacts withPartial(PartialRule rule) {
    return new OperatorFacts(traits, draw, range, work, unchanged, gradient, rule, since, weights);
  }

  OperatorFacts since(int opset) {
    return new OperatorFacts(traits, draw, range, work, unchanged, gradient, partial, opset, weights);
  }

  OperatorFacts withWeights(Set<Integer> inputs) {
    return new OperatorFacts(traits, draw, range, work, unchanged, gradient, partial, since, inputs);
  }
}
