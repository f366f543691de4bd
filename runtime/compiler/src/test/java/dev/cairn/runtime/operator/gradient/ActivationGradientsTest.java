package dev.cairn.runtime.operator.gradient;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ActivationGradientsTest {
  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return GradientDifferences.tests("""
      Relu([2x3])
      LeakyRelu{alpha=0.2}([6])
      LeakyRelu([6])
      PRelu([2x3], [3])
      PRelu([2x3], [1])
      ThresholdedRelu{alpha=0.5}([6])
      Shrink{lambd=0.8, bias=0.3}([6])
      Sigmoid([6])
      HardSigmoid{alpha=0.25, beta=0.5}([9]) in -5..5
      HardSwish([9]) in -5..5
      Gelu([6])
      Gelu{approximate="tanh"}([6])
      Softplus([6])
      Softsign([6])
      Elu{alpha=0.7}([6])
      Celu{alpha=0.7}([6])
      Selu([6])
      Mish([6])
      Swish{alpha=1.5}([6])
      Swish([6])
      """);
  }
}
