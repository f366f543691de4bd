package dev.cairn.runtime.operator.gradient;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class RecurrentGradientsTest {
  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return GradientDifferences.tests("""
      LSTM{hidden_size=2}([3x2x3], [1x8x3], [1x8x2])
      LSTM{hidden_size=2}([1x2x3], [1x8x3], [1x8x2], [1x16])
      LSTM{hidden_size=2}([3x2x3], [1x8x3], [1x8x2], [1x16], _, [1x2x2], [1x2x2]) -> 3
      LSTM{direction="reverse", hidden_size=2}([3x2x3], [1x8x3], [1x8x2], [1x16], _, [1x2x2], [1x2x2]) -> 3
      LSTM{direction="bidirectional", hidden_size=2}([3x1x2], [2x8x2], [2x8x2], [2x16], _, [2x1x2], [2x1x2]) -> 3
      GRU{hidden_size=2}([3x2x3], [1x6x3], [1x6x2])
      GRU{hidden_size=2}([3x2x3], [1x6x3], [1x6x2], [1x12], _, [1x2x2]) -> 2
      GRU{hidden_size=2, linear_before_reset=1}([3x2x3], [1x6x3], [1x6x2], [1x12], _, [1x2x2])
      GRU{direction="reverse", hidden_size=2, linear_before_reset=1}([3x2x3], [1x6x3], [1x6x2])
      GRU{direction="bidirectional", hidden_size=2}([2x1x2], [2x6x2], [2x6x2], [2x12])
      RNN{hidden_size=2}([3x2x3], [1x2x3], [1x2x2], [1x4], _, [1x2x2])
      RNN{direction="bidirectional", hidden_size=2}([3x1x2], [2x2x2], [2x2x2])
      """);
  }
}
