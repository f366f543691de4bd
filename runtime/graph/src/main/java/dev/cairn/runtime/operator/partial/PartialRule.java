package dev.cairn.runtime.operator.partial;

/**
 * What an operator tells of types in part, a column of its row: from operands to results and back. An operator without
 * such a rule has its ordinary type rule alone, once all operands are known.
 */
@FunctionalInterface
public interface PartialRule {
  /** Tells nothing. */
  PartialRule NOTHING = call -> {};

  /** Adds what one use of the operator tells. Facts only: a rule that knows too little adds nothing. */
  void apply(PartialCall call);
}
