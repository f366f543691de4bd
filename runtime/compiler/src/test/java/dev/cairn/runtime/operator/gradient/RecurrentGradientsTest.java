package dev.cairn.runtime.operator.gradient;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class RecurrentGradientsTest {
  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return GradientDifferences.tests("""
      LSTM{hidden_size=1}([2x2x3], [1x4x3], [1x4x1])
      LSTM{hidden_size=1}([1x2x2], [1x4x2], [1x4x1], [1x8])
      LSTM{hidden_size=2}([2x1x1], [1x8x1], [1x8x2], [1x16], _, [1x1x2], [1x1x2]) -> 3
      LSTM{direction="reverse", hidden_size=1}([3x2x1], [1x4x1], [1x4x1], [1x8], _, [1x2x1], [1x2x1]) -> 3
      LSTM{direction="bidirectional", hidden_size=1}([3x1x2], [2x4x2], [2x4x1], [2x8], _, [2x1x1], [2x1x1]) -> 3
      GRU{hidden_size=1}([2x2x3], [1x3x3], [1x3x1])
      GRU{hidden_size=2}([3x1x1], [1x6x1], [1x6x2], [1x12], _, [1x1x2]) -> 2
      GRU{hidden_size=1, linear_before_reset=1}([3x2x2], [1x3x2], [1x3x1], [1x6], _, [1x2x1])
      GRU{direction="reverse", hidden_size=2, linear_before_reset=1}([3x1x1], [1x6x1], [1x6x2])
      GRU{direction="bidirectional", hidden_size=1}([2x1x2], [2x3x2], [2x3x1], [2x6])
      RNN{hidden_size=2}([3x2x1], [1x2x1], [1x2x2], [1x4], _, [1x2x2])
      RNN{direction="bidirectional", hidden_size=2}([3x1x1], [2x2x1], [2x2x2])
      """);
  }
}
