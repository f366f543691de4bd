package dev.cairn.runtime.ndarray;

import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.Operators;
import dev.cairn.runtime.expression.Index;
import java.util.List;

/** Functions that overwrite an array with their result, whose type must be the array's. */
public sealed interface InPlaceFunctions permits NDArray {
  /**
   * Overwrites this array with the result of an operator of this array and another.
   *
   * @return this array
   * @throws IllegalArgumentException when the result has another type, or the array is read-only
   */
  NDArray inPlace(String operator, NDArray other);

  /**
   * Overwrites this array with the only result of an operator, which must have this array's type.
   *
   * @param operands in the operator's order; this array may be one of them
   * @return this array
   */
  default NDArray overwrite(String operator, Attributes attributes, List<NDArray> operands) {
    NDArray target = (NDArray) this;
    target.runtime().invoker().applyInto(target, operator, attributes, operands, true);
    return target;
  }

  /** Overwrites the selected elements with a value that broadcasts to them. */
  NDArray set(NDArray value, Index... indexes);

  /** Overwrites the selected elements with a number. */
  default NDArray set(Number value, Index... indexes) {
    return set(scalar(value), indexes);
  }

  /** A number as a scalar of this array's element type. */
  NDArray scalar(Number value);

  default NDArray addi(NDArray other) {
    return inPlace(Operators.ADD, other);
  }

  default NDArray addi(Number other) {
    return addi(scalar(other));
  }

  default NDArray subi(NDArray other) {
    return inPlace(Operators.SUB, other);
  }

  default NDArray subi(Number other) {
    return subi(scalar(other));
  }

  default NDArray muli(NDArray other) {
    return inPlace(Operators.MUL, other);
  }

  default NDArray muli(Number other) {
    return muli(scalar(other));
  }

  default NDArray divi(NDArray other) {
    return inPlace(Operators.DIV, other);
  }

  default NDArray divi(Number other) {
    return divi(scalar(other));
  }

  default NDArray powi(NDArray other) {
    return inPlace(Operators.POW, other);
  }

  default NDArray powi(Number other) {
    return powi(scalar(other));
  }
}
