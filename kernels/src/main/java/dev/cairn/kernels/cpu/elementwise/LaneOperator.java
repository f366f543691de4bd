package dev.cairn.kernels.cpu.elementwise;

import dev.cairn.kernels.tensor.DType;
import jdk.incubator.vector.VectorOperators;

/** The functions of {@link VectorElementwiseLanes}. */
@SuppressWarnings("ImmutableEnumChecker") // the operators of vectors never change
public enum LaneOperator {
  ADD(VectorOperators.ADD, VectorOperators.ADD),
  SUB(VectorOperators.SUB, VectorOperators.SUB),
  MUL(VectorOperators.MUL, VectorOperators.MUL),
  DIV(VectorOperators.DIV, VectorOperators.DIV),
  MIN(VectorOperators.MIN, VectorOperators.UMIN),
  MAX(VectorOperators.MAX, VectorOperators.UMAX),
  AND(VectorOperators.AND, VectorOperators.AND),
  OR(VectorOperators.OR, VectorOperators.OR),
  XOR(VectorOperators.XOR, VectorOperators.XOR),
  EQUAL(VectorOperators.EQ, VectorOperators.EQ),
  LESS(VectorOperators.LT, VectorOperators.ULT),
  LESS_OR_EQUAL(VectorOperators.LE, VectorOperators.ULE),
  GREATER(VectorOperators.GT, VectorOperators.UGT),
  GREATER_OR_EQUAL(VectorOperators.GE, VectorOperators.UGE);

  private final VectorOperators.Operator signed;
  private final VectorOperators.Operator unsigned;

  LaneOperator(VectorOperators.Operator signed, VectorOperators.Operator unsigned) {
    this.signed = signed;
    this.unsigned = unsigned;
  }

  boolean compares() {
    return signed instanceof VectorOperators.Comparison;
  }

  /** What the function is for elements of this type. */
  VectorOperators.Operator of(DType dtype) {
    return dtype.isUnsigned() || dtype == DType.BOOL ? unsigned : signed;
  }
}
