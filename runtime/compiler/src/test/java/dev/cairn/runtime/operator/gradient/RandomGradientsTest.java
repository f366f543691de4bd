package dev.cairn.runtime.operator.gradient;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class RandomGradientsTest {
  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return GradientDifferences.tests("""
      Dropout([3x5])
      Dropout{training_mode=1, draw=2}([3x5], float32:0.25)
      Dropout{training_mode=1, draw=2}([3x5], float64:0.25, _, int64:[7,3])
      Dropout{training_mode=1, seed=5, axes=[1]}([3x5])
      """);
  }
}
