package dev.cairn.runtime.operator;

import dev.cairn.kernels.tensor.TensorType;

/** Says how many floating-point operations one use of an operator takes. */
@FunctionalInterface
public interface WorkRule {
  /** One operation for each element of the first result. */
  WorkRule ELEMENTS = (use, result) -> result.shape().elementCount();

  /**
   * The operations of one use.
   *
   * @param result the type of the first result
   */
  long operations(TypeContext use, TensorType result);
}
