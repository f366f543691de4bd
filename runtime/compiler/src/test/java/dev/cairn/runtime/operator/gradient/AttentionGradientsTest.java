package dev.cairn.runtime.operator.gradient;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class AttentionGradientsTest {
  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return """
      Attention([1x2x3x4], [1x2x5x4], [1x2x5x3])
      Attention([2x4x3x2], [2x2x3x2], [2x2x3x2])
      Attention{is_causal=1, softcap=0.5}([1x2x4x3], [1x2x4x3], [1x2x4x2])
      Attention{q_num_heads=2, kv_num_heads=1, scale=0.7}([2x3x4], [2x3x2], [2x3x3])
      Attention{left_window_size=1, right_window_size=1}([1x1x5x2], [1x1x5x2], [1x1x5x2])
      Attention([1x1x2x3], [1x1x3x3], [1x1x3x2], bool:[1,0,1,0,0,0] as 2x3)
      Attention([1x1x2x3], [1x1x3x3], [1x1x3x2], float64:[0.5,-1,2])
      """.lines().map(line -> DynamicTest.dynamicTest(line, () -> GradientDifferences.checkFirst(line)));
  }

  @TestFactory
  Stream<DynamicTest> rotaryPositionsTurnBack() {
    return GradientDifferences.tests("""
      RotaryEmbedding([1x2x3x4], float64:[1,0.5,0.9,-0.2,0.1,0.3] as 1x3x2, float64:[0,0.8,0.4,0.9,-0.9,0.9] as 1x3x2)
      RotaryEmbedding{interleaved=1, num_heads=2}([1x2x8], float64:[1,0.5,0.9,-0.2] as 2x2, \
      float64:[0,0.8,0.4,0.9] as 2x2, int64:[1,0] as 1x2)
      RotaryEmbedding{rotary_embedding_dim=2}([1x1x2x5], float64:[1,0.5] as 1x2x1, float64:[0.1,0.8] as 1x2x1)
      """);
  }

  @Test
  void cachesOfRotaryPositionsHaveNone() {
    assertThatThrownBy(() -> GradientDifferences.checkFirst("RotaryEmbedding([1x1x1x2], [1x1x1], [1x1x1])"))
      .hasMessageContaining("of caches of cosines and sines");
  }
}
