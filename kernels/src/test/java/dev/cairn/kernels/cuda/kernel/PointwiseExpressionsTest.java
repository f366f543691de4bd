package dev.cairn.kernels.cuda.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.PointwiseCase;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.catalog.family.ElementwiseKernels;
import dev.cairn.kernels.tensor.DType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PointwiseExpressionsTest {
  private static final Pattern FUNCTION = Pattern.compile("element::(\\w+)");

  private static Optional<String> expression(String operator) {
    return PointwiseExpressions.of(new Step(operator, Attributes.NONE, DType.FLOAT32, List.of()), List.of("a", "b",
      "c"));
  }

  /** Operators that have no CUDA kernel yet. */
  private static final Set<String> ON_THE_PROCESSOR_ONLY = Set.of("Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh",
    "BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "CastLike", "Cosh", "IsInf",
    "Mean", "Mod", "PRelu", "Sinh",
    "Tan");

  @Test
  void everyOperatorThatComputesEachElementByItselfHasOne() {
    var without = new TreeSet<>(ElementwiseKernels.ROWS.stream().map(KernelRow::operator).filter(it -> expression(it)
      .isEmpty()).toList());
    assertThat(without).containsExactlyInAnyOrderElementsOf(ON_THE_PROCESSOR_ONLY);
    assertThat(expression("Softmax")).isEmpty();
  }

  @Test
  void randomProgramsHaveEveryFunctionOfOneElement() {
    assertThat(PointwiseCase.unaryOperators()).containsExactlyInAnyOrderElementsOf(ElementFunction.ALL.stream().map(
      ElementFunction::operator).toList());
  }

  @Test
  void everyFunctionInOneIsOfTheHeader() {
    String header = KernelLibrary.source("elementwise.cu").headers().getOrDefault("pointwise.cuh", "");
    var functions = new TreeSet<String>();
    for (KernelRow row : ElementwiseKernels.ROWS) {
      expression(row.operator()).ifPresent(it -> FUNCTION.matcher(it).results().map(MatchResult::group).forEach(
        functions::add));
    }
    assertThat(functions).hasSizeGreaterThan(30).allSatisfy(it -> assertThat(header).contains(" " + it.substring(
      "element::".length()) + "("));
  }
}
