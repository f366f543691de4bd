package dev.cairn.runtime.operator;

import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Says between which bounds the whole numbers of an operator's result lie, if only a run knows these numbers and shapes
 * depend on them. The ranges of operands are {@link TypeContext#range} and {@link TypeContext#uniformRange}.
 */
@FunctionalInterface
public interface RangeRule {
  /** Nothing is known of the result. */
  RangeRule NONE = (use, count) -> Optional.empty();

  /** The result has the elements of the first operand, in any order. */
  RangeRule FIRST = new RangeRule() {
    @Override
    public Optional<ValueRange> list(TypeContext use, int count) {
      return use.range(0).or(() -> use.uniformRange(0).flatMap(it -> it.any(count)));
    }

    @Override
    public Optional<ValueRange> uniform(TypeContext use) {
      return use.uniformRange(0);
    }
  };

  /** Each element of the result is an element of the first operand. */
  RangeRule SELECTED = (use, count) -> use.uniformRange(0).flatMap(it -> it.any(count));

  /** The range of each element of a result that is a scalar or a list of so many elements; empty if unknown. */
  Optional<ValueRange> list(TypeContext use, int count);

  /** One range for all elements of a result of any shape; empty if unknown. */
  default Optional<ValueRange> uniform(TypeContext use) {
    return Optional.empty();
  }

  /** A rule for a function of two operands, element by element. */
  static RangeRule ofTwo(BiFunction<ValueRange, ValueRange, Optional<ValueRange>> range) {
    return (use, count) -> use.range(0).flatMap(a -> use.range(1).flatMap(b -> range.apply(a, b)));
  }

  /**
   * A rule for a function of several operands, such as the least. An operand without a range may be any number; the
   * others limit the result all the same.
   *
   * @param most how many of the operands count
   */
  static RangeRule ofAll(int most, BiFunction<ValueRange, ValueRange, Optional<ValueRange>> range) {
    return (use, count) -> {
      Optional<ValueRange> result = ValueRange.ANY.any(count);
      boolean isFirst = true;
      for (int i = 0; i < Math.min(most, use.inputCount()); i++) {
        if (use.has(i)) {
          ValueRange next = use.range(i).orElse(ValueRange.ANY);
          result = isFirst ? result.flatMap(it -> next.and(it)) : result.flatMap(it -> range.apply(it, next));
          isFirst = false;
        }
      }
      return result;
    };
  }
}
