package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class RecurrentFamilyTest {
  static final String CASES = """
    LSTM{hidden_size=3}(float32[5x2x4], float32[1x12x4], float32[1x12x3]) -> float32[5x1x2x3], float32[1x2x3], \
      float32[1x2x3]
    LSTM{direction="bidirectional"}(float16[5x2x4], float16[2x12x4], float16[2x12x3], float16[2x24]) -> float16[5x2x2x3]
    LSTM{layout=1}(float32[2x5x4], float32[1x12x4], float32[1x12x3], _, int32[2]) -> float32[2x5x1x3], float32[2x1x3]
    LSTM(float32[5x2x4], float32[1x12x4], float32[1x12x3], _, _, float32[1x2x3], float32[1x2x3], float32[1x9]) \
      -> float32[5x1x2x3]
    LSTM{direction="both"}(float32[5x2x4], float32[1x12x4], float32[1x12x3]) !! no such direction: direction="both"
    LSTM{layout=2}(float32[5x2x4], float32[1x12x4], float32[1x12x3]) !! no such layout: layout=2
    LSTM(float32[5x2], float32[1x12x4], float32[1x12x3]) !! three axes are needed
    LSTM(float32[5x2x4], float32[1x12x5], float32[1x12x3]) !! weights have another shape
    LSTM{hidden_size=4}(float32[5x2x4], float32[1x12x4], float32[1x12x3]) !! hidden_size=4
    LSTM(float32[5x2x4], float32[1x12x4], float32[1x12x4]) !! operand of another shape: input=2
    LSTM(float32[5x2x4], float32[1x12x4], float32[1x12x3], float32[1x12]) !! operand of another shape: input=3
    LSTM(float32[5x2x4], float32[1x12x4], float32[1x12x3], _, int32[5]) !! operand of another shape: input=4
    LSTM(float32[5x2x4], float32[1x12x4], float32[1x12x3], _, _, float32[2x1x3]) !! operand of another shape: input=5
    LSTM(float32[5x2x4], float32[1x12x4], float32[1x12x3], _, _, _, _, float32[1x12]) !! shape: input=7
    GRU{linear_before_reset=1}(float32[5x2x4], float32[1x9x4], float32[1x9x3], float32[1x18]) -> \
      float32[5x1x2x3], float32[1x2x3]
    GRU{direction="reverse"}(float64[5x2x4], float64[1x9x4], float64[1x9x3]) -> float64[5x1x2x3]
    GRU(int32[5x2x4], int32[1x9x4], int32[1x9x3]) !! unsupported element type
    CausalConvWithState(float32[2x4x8], float32[4x1x3]) -> float32[2x4x8], float32[2x4x2]
    CausalConvWithState{activation="silu"}(float16[2x4x8], float16[4x1x1], float16[4], float16[2x4x0]) -> float16[2x4x8]
    CausalConvWithState{activation="relu"}(float32[2x4x8], float32[4x1x3]) !! activation="relu"
    CausalConvWithState(float32[2x4x8], float32[4x1x3], _, float32[2x4x3]) !! shape: input=3
    CausalConvWithState(float32[2x4x8], float32[5x1x3]) !! shape: input=1
    LinearAttention{q_num_heads=4, kv_num_heads=2, update_rule="linear"}(float32[2x3x20], float32[2x3x10], \
      float32[2x3x6]) -> float32[2x3x12], float32[2x2x5x3]
    LinearAttention{q_num_heads=2, kv_num_heads=2}(float32[2x3x4], float32[2x3x4], float32[2x3x4], _, \
      float32[2x3x2], float32[2x3x1]) -> float32[2x3x4]
    LinearAttention{q_num_heads=2, kv_num_heads=2}(float32[2x3x4], float32[2x3x4], float32[2x3x4]) !! input=4
    LinearAttention{q_num_heads=3, kv_num_heads=2}(float32[2x3x6], float32[2x3x4], float32[2x3x4]) !! heads do not fit
    LinearAttention{q_num_heads=1, kv_num_heads=1, update_rule="x"}(float32[2x3x4], float32[2x3x4], float32[2x3x4]) \
      !! update_rule="x"
    RNN{layout=1}(float32[2x5x4], float32[1x3x4], float32[1x3x3]) -> float32[2x5x1x3], float32[2x1x3]
    RNN(float32[5x2x4], float32[1x3x4], float64[1x3x3]) !! element types differ
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
