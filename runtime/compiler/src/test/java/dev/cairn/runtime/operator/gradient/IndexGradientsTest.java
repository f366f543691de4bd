package dev.cairn.runtime.operator.gradient;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class IndexGradientsTest {
  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return GradientDifferences.tests("""
      Gather([4x3], int64:[1,0,1,-1])
      Gather{axis=1}([2x4x3], int64:[1,3,1,2] as 2x2)
      Gather([4], int64:2)
      GatherElements([2x3], int64:[1,0,1,1] as 2x2)
      GatherElements{axis=1}([2x3], int64:[1,0,1,1] as 1x4)
      GatherND([3x4], int64:[1,0,2,3] as 2x2)
      GatherND([3x4], int64:[1,1,0] as 3x1)
      GatherND{batch_dims=1}([2x3x4], int64:[1,2] as 2x1)
      ScatterElements([3x3], int64:[1,0,2,1] as 2x2, [2x2])
      ScatterElements{axis=1, reduction="add"}([2x4], int64:[1,1,0,3] as 2x2, [2x2])
      ScatterND([4x3], int64:[2,0] as 2x1, [2x3])
      ScatterND{reduction="add"}([4x3], int64:[2,2,1] as 3x1, [3x3])
      ScatterAdd{shape=[4,3]}([2x3], int64:[2,2])
      TopK([2x5], int64:[2])
      TopK{axis=0, largest=0}([4x3], int64:[3])
      OneHot(int64:[1,0,2], int64:3, [2])
      ReverseSequence([3x2], int64:[1,3])
      """);
  }
}
