package dev.cairn.kernels.cuda.elementwise;

import dev.cairn.kernels.tensor.DType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * An elementwise operator with two operands, or with several that are combined from the left, and its function in
 * {@code pointwise.cuh}. Kernels of one operator and fused programs compute the same. To add an operator, add its line
 * here, and its formula and its entry there.
 *
 * @param dtypes element types for which CUDA has the operator
 * @param function of two elements
 * @param sign how CUDA C writes a comparison; empty for other operators
 */
public record PairFunction(String operator, Set<DType> dtypes, String function, String sign) {
  private static final Set<DType> BOOLEAN = EnumSet.of(DType.BOOL);

  /** Every operator of this kind that CUDA has, by name. */
  public static final List<PairFunction> ALL = List.of(
    of("Add", DType.NUMBERS, "add"),
    of("And", BOOLEAN, "logical_and"),
    of("Div", DType.NUMBERS, "divide"),
    comparison("Equal", DType.COMPUTED, "equal", "=="),
    comparison("Greater", DType.NUMBERS, "greater", ">"),
    comparison("GreaterOrEqual", DType.NUMBERS, "greater_or_equal", ">="),
    comparison("Less", DType.NUMBERS, "less", "<"),
    comparison("LessOrEqual", DType.NUMBERS, "less_or_equal", "<="),
    of("Max", DType.NUMBERS, "maximum"),
    of("Min", DType.NUMBERS, "minimum"),
    of("Mul", DType.NUMBERS, "mul"),
    of("Or", BOOLEAN, "logical_or"),
    of("Sub", DType.NUMBERS, "sub"),
    of("Sum", DType.NUMBERS, "add"),
    of("Xor", BOOLEAN, "logical_xor"));

  private static PairFunction of(String operator, Set<DType> dtypes, String function) {
    return new PairFunction(operator, dtypes, function, "");
  }

  private static PairFunction comparison(String operator, Set<DType> dtypes, String function, String sign) {
    return new PairFunction(operator, dtypes, function, sign);
  }

  boolean isComparison() {
    return !sign.isEmpty();
  }
}
