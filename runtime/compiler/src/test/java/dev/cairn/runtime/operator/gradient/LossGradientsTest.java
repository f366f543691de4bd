package dev.cairn.runtime.operator.gradient;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class LossGradientsTest {
  /** Operators of gradients have no gradients themselves: first derivatives only. */
  private static Stream<DynamicTest> first(String table) {
    return table.lines().map(line -> DynamicTest.dynamicTest(line, () -> GradientDifferences.checkFirst(line)));
  }

  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return first("""
      SoftmaxCrossEntropyLoss([4x3], int64:[0,2,1,1])
      SoftmaxCrossEntropyLoss{reduction="sum"}([2x3x2], int64:[0,2,1,1] as 2x2, float64:[0.5,2,1])
      SoftmaxCrossEntropyLoss{reduction="none", ignore_index=1}([4x3], int64:[0,2,1,1], float64:[0.5,2,1])
      SoftmaxCrossEntropyLoss{ignore_index=-1}([4x3], int64:[0,2,-1,1]) -> 2
      NegativeLogLikelihoodLoss([4x3], int64:[0,2,1,1], float64:[0.5,2,1])
      NegativeLogLikelihoodLoss{reduction="none"}([2x3x2], int64:[0,2,1,1] as 2x2)
      NegativeLogLikelihoodLoss{reduction="sum", ignore_index=1}([4x3], int64:[0,2,1,1])
      """);
  }
}
