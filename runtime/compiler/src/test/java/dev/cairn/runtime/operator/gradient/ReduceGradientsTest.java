package dev.cairn.runtime.operator.gradient;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ReduceGradientsTest {
  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return GradientDifferences.tests("""
      ReduceSum([2x3])
      ReduceSum{keepdims=0}([2x3x2], int64:[0,-1])
      ReduceSum{noop_with_empty_axes=1}([2x3])
      ReduceSum([0x3], int64:[0])
      ReduceSum([scalar])
      ReduceMean([2x3], int64:[1])
      ReduceMean{keepdims=0}([2x3])
      ReduceMax{keepdims=0}([2x3], int64:[1])
      ReduceMin([2x3])
      ReduceL1([2x3], int64:[1])
      ReduceL2{keepdims=0}([2x3], int64:[1])
      ReduceLogSum([2x3], int64:[0]) in 0.1..2
      ReduceLogSumExp{keepdims=0}([2x3], int64:[1])
      ReduceSumSquare([2x3], int64:[1])
      CumSum([2x3], int64:1)
      CumSum{exclusive=1, reverse=1}([2x3], int64:-1)
      CumProd([2x3], int64:1)
      CumProd{exclusive=1}([2x3x2], int64:1)
      CumProd{reverse=1}([4], int64:0)
      CumProd{exclusive=1, reverse=1}([2x3], int64:-1)
      Softmax([2x3])
      Softmax{axis=0}([2x3])
      LogSoftmax([2x3])
      LogSoftmax{axis=0}([2x3])
      """);
  }

  /** Some points have an element that is zero. */
  @Test
  void productsAreRightWithZerosToo() {
    GradientDifferences.checkFirst("ReduceProd{keepdims=0}([2x3x2], int64:[0,2])");
    GradientDifferences.checkFirst("ReduceProd([3])");
  }
}
