package dev.cairn.runtime.operator.gradient;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ShapeGradientsTest {
  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return GradientDifferences.tests("""
      Flatten{axis=1}([2x3x2])
      Identity([2x3])
      Reshape([2x3], int64:[3,-1])
      Squeeze([1x3x1], int64:[0])
      Unsqueeze([3], int64:[0,2])
      """);
  }
}
