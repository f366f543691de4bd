package dev.cairn.kernels.cuda.elementwise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.kernels.PointwiseCase;
import dev.cairn.kernels.attribute.Attributes;
import dev.cairn.kernels.attribute.PointwiseProgram.Step;
import dev.cairn.kernels.catalog.KernelCatalog;
import dev.cairn.kernels.catalog.KernelRow;
import dev.cairn.kernels.cuda.kernel.KernelLibrary;
import dev.cairn.kernels.cuda.kernel.NoDevice;
import dev.cairn.kernels.row.ElementwiseKernels;
import dev.cairn.kernels.tensor.DType;
import java.util.List;
import java.util.Optional;
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

  @Test
  void everyOperatorOfCudaThatComputesEachElementByItselfHasOne() {
    KernelCatalog cuda = NoDevice.catalog();
    for (KernelRow row : ElementwiseKernels.ROWS) {
      assertThat(expression(row.operator()).isPresent()).as("%s has an expression, as it has a CUDA kernel", row
        .operator()).isEqualTo(cuda.operators().contains(row.operator()));
    }
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
