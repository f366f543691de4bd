package dev.cairn.runtime.operator.partial;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.tensor.DType;
import dev.cairn.runtime.graph.PartialType;
import java.util.function.Function;

/**
 * What an operator tells of types in part, a column of its row: from operands to results and back. An operator without
 * such a rule has its ordinary type rule alone, once all operands are known.
 */
@FunctionalInterface
public interface PartialRule {
  /** Tells nothing. */
  PartialRule NOTHING = call -> {};

  /** The first result has this element type, whatever the operands are. */
  static PartialRule ofElement(DType dtype) {
    return ofElement(_ -> dtype);
  }

  /** Attributes alone decide the first result's element type. */
  static PartialRule ofElement(Function<Attributes, DType> dtype) {
    return call -> call.tellResult(0, PartialType.of(dtype.apply(call.attributes())));
  }

  /** Adds what one use of the operator tells. Facts only: a rule that knows too little adds nothing. */
  void apply(PartialCall call);
}
