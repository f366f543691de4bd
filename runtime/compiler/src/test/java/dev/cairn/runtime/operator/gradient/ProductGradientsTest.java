package dev.cairn.runtime.operator.gradient;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ProductGradientsTest {
  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return GradientDifferences.tests("""
      MatMul([2x3], [3x4])
      MatMul([3], [3x2])
      MatMul([2x3], [3])
      MatMul([3], [3])
      MatMul([2x2x3], [3x2])
      MatMul([2x2x3], [3])
      MatMul([3], [2x3x2])
      MatMul([2x2x3], [2x3x2])
      MatMul([2x1x2x3], [3x3x2])
      MatMul([2x3], [2x3x2])
      MatMul([0x3], [3x2])
      Gemm([2x3], [3x4])
      Gemm([2x3], [3x4], [4])
      Gemm{alpha=0.5, beta=2.0, transA=1}([3x2], [3x4], [2x1])
      Gemm{alpha=0.5, transB=1}([2x3], [4x3], [scalar])
      Gemm{transA=1, transB=1}([3x2], [4x3], [2x4])
      Einsum{equation="ij,jk->ik"}([2x3], [3x2])
      Einsum{equation="bij,bkj->bik"}([2x2x3], [2x2x3])
      Einsum{equation="ij,k->k"}([2x3], [2])
      Einsum{equation="ij->"}([2x3])
      """);
  }

  @TestFactory
  Stream<DynamicTest> gradientsOfDeterminantsAreCentralDifferences() {
    return """
      Det([3x3])
      Det([2x4x4])
      Det([2x1x1])
      Det([0x2x2])
      Det([1x5x5])
      """.lines().map(String::strip).map(line -> DynamicTest.dynamicTest(line, () -> GradientDifferences.checkFirst(
      line)));
  }
}
