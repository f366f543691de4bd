package dev.cairn.runtime.operator;

import dev.cairn.kernels.tensor.TensorType;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/** Says when an operator's first result is its first input, bit for bit, so that the use need not run. */
@FunctionalInterface
public interface UnchangedRule {
  /** The result is never surely the first input. */
  UnchangedRule NEVER = (use, result) -> false;
  UnchangedRule ALWAYS = (use, result) -> true;
  /** The result is the first input when it has that input's type. */
  UnchangedRule SAME_TYPE = (use, result) -> result.equals(use.input(0));
  /** The result is the first input when there is only one input. */
  UnchangedRule ONE_INPUT = (use, result) -> use.inputCount() == 1;

  /**
   * Whether the first result is the first input. False where that is not certain.
   *
   * @param result the type of the first result
   */
  boolean holds(TypeContext use, TensorType result);

  /** This rule, with a further condition: every element of an input of whole numbers is known and passes a test. */
  default UnchangedRule where(int input, boolean whenLeftOut, LongPredicate test) {
    return (use, result) -> holds(use, result) && isEvery(use, input, whenLeftOut, test);
  }

  private static boolean isEvery(TypeContext use, int input, boolean whenLeftOut, LongPredicate test) {
    if (!use.has(input)) {
      return whenLeftOut;
    }
    if (use.dtype(input).isFloat()) {
      return false;
    }
    return use.knownValue(input).filter(view -> LongStream.range(0, view.elementCount()).map(view::longAt).allMatch(
      test)).isPresent();
  }
}
