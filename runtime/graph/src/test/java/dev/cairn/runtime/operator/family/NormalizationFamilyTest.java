package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class NormalizationFamilyTest {
  static final String CASES = """
    BatchNormalization(float32[2x3x4], float32[3], float32[3], float32[3], float32[3]) -> float32[2x3x4]
    BatchNormalization(float16[2x3], float32[3], float32[3], float64[3], float64[3]) -> float16[2x3]
    BatchNormalization(float32[7], float32[1], float32[1], float32[1], float32[1]) -> float32[7]
    BatchNormalization(float32[2x3x4], float32[4], float32[3], float32[3], float32[3]) !! one element for each channel
    BatchNormalization(float32[2x3x4], float32[3], float32[3], float32[3], float32[3x1]) !! input=4 shape=3x1
    BatchNormalization(float32[scalar], float32[3], float32[3], float32[3], float32[3]) !! too few axes
    BatchNormalization{training_mode=1}(float32[1x3], float32[3], float32[3], float32[3], float32[3]) !! larger batch
    BatchNormalization{training_mode=1}(float16[2x3], float16[3], float16[3], float32[3], float32[3]) -> float16[2x3], \
      float32[3], float32[3], float32[3], float32[3]
    BatchNormalization{training_mode=1}(float32[2x3], float32[3], float32[3], float32[3], float32[3]) -> float32[2x3], \
      float32[3], float32[3]
    BatchNormalization{training_mode=1}(float32[1], float32[1], float32[1], float32[1], float32[1]) !! larger batch
    BatchNormalizationGradient(float16[2x3], float16[2x3], float16[3]) -> float16[2x3], float16[3], float16[3]
    BatchNormalizationGradient(float32[2x3], float32[2x3], float32[3], float64[3], float64[3]) -> float32[2x3], \
      float32[3], float32[3]
    BatchNormalizationGradient(float32[2x3], float32[2x4], float32[4]) !! head and data have one type
    BatchNormalizationGradient(float32[2x3], float32[2x3], float32[3], float32[3]) !! come together
    BatchNormalizationGradient(float32[2x3], float32[2x3], float32[3], float32[2], float32[3]) !! input=3 shape=2
    BatchNormalizationGradient(float32[1x3], float32[1x3], float32[3]) !! more than one element
    LayerNormalizationGradient(float32[2x4], float32[2x4], float32[1]) -> float32[2x4], float32[4], float32[4]
    LayerNormalizationGradient{axis=1}(float16[2x3x4], float16[2x3x4], float16[3x4], float32[2x1x1], float32[2x1x1]) \
      -> float16[2x3x4], float16[3x4], float16[3x4]
    LayerNormalizationGradient(float32[2x4], float32[2x4], float32[3]) !! shapes do not broadcast
    LayerNormalizationGradient(float32[2x4], float32[2x4], float32[4], float32[2], float32[2]) !! one mean
    BatchNormalization(float32[2x3], float32[3], float64[3], float32[3], float32[3]) !! element types differ
    BatchNormalization(float32[2x3], float32[3], float32[3], float32[3], float32[3]) !!3 wrong number of results
    BatchNormalization(float32[2x3], float32[3], float32[3]) !! missing=[3, 4]
    InstanceNormalization(float32[2x3x4x5], float32[3], float32[3]) -> float32[2x3x4x5]
    InstanceNormalization(float32[2x3], float32[3], float32[3]) !! too few axes: input=2x3 least=3
    InstanceNormalization(float32[2x3x4], float32[4], float32[3]) !! one element for each channel
    LayerNormalization(float32[2x3x4], float32[4]) -> float32[2x3x4]
    LayerNormalization(float32[2x3x4], float32[4], float32[4]) -> float32[2x3x4], float32[2x3x1], float32[2x3x1]
    LayerNormalization{axis=1}(float16[2x3x4], float16[3x4], float16[3x1]) -> float16[2x3x4], float32[2x1x1]
    LayerNormalization{axis=-2, stash_type=16}(float32[2x3x4], float32[3x4]) -> float32[2x3x4], bfloat16[2x1x1]
    LayerNormalization(float32[2x3x4], float32[3]) !! shapes do not broadcast
    LayerNormalization(float32[2x3x1], float32[4]) !! scale or bias cannot be broadcast: input=1 shape=4 to=2x3x1
    LayerNormalization(float32[2x3x4], float32[4], float32[1x1x4]) -> float32[2x3x4]
    LayerNormalization(float32[2x3x4], float32[2x3x1], float32[3x1]) -> float32[2x3x4]
    LayerNormalization(float32[2x3x4], float32[1x2x3x4]) !! scale or bias cannot be broadcast: input=1
    RMSNormalization(float32[2x3x4], float32[2x1x4]) -> float32[2x3x4]
    LayerNormalization{axis=3}(float32[2x3x4], float32[4]) !! no such axis: axis=3 rank=3
    LayerNormalization{stash_type=7}(float32[2x3x4], float32[4]) !! stash_type=7
    LayerNormalization(float32[2x3x4], float64[4]) !! element types differ
    LayerNormalization(float32[2x3x4], float32[4]) !!4 wrong number of results: wanted=4 given=3
    LRN{size=5}(float32[2x6x4x4]) -> float32[2x6x4x4]
    LRN(float32[2x6x4x4]) !! size must be at least 1: size=0
    LRN{size=5}(int32[2x6]) !! dtype=int32
    LrnGradient{size=5}(float32[2x6x4x4], float32[2x6x4x4]) -> float32[2x6x4x4]
    LrnGradient{size=5}(float32[2x6x4x4], float32[2x6x4x1]) !! the gradient has another shape than the input
    Softmax(float32[2x3]) -> float32[2x3]
    Softmax{axis=0}(float64[0x3]) -> float64[0x3]
    Softmax{axis=2}(float32[2x3]) !! no such axis: axis=2 rank=2
    Softmax(float32[scalar]) !! no such axis: axis=-1 rank=0
    Softmax(int64[2]) !! dtype=int64

    GroupNormalization{num_groups=2}(float32[1x4x2x2], float32[4], float32[4]) -> float32[1x4x2x2]
    GroupNormalization{num_groups=3}(float32[1x4x2x2], float32[4], float32[4]) !! the channels do not divide
    GroupNormalization{num_groups=2}(float32[1x4x2], float32[2], float32[4]) !! one element for each channel
    Hardmax(float32[2x3]) -> float32[2x3]
    Hardmax{axis=2}(float32[2x3]) !! no such axis
    LogSoftmax(bfloat16[2x0]) -> bfloat16[2x0]
    LogSoftmax(int32[3]) !! dtype=int32
    LpNormalization{p=1}(float32[2x3]) -> float32[2x3]
    LpNormalization{p=3}(float32[2x3]) !! the norm must be the first or the second: p=3
    RMSNormalization(float32[2x3], float32[3]) -> float32[2x3]
    RMSNormalization(float16[2x3x4], float32[3x1]) -> float32[2x3x4]
    RMSNormalization{axis=1}(float16[2x3x4], float32[3x1]) -> float32[2x3x4]
    RMSNormalization(float32[2x3x4], float32[1x2x3x4]) !! scale or bias cannot be broadcast: input=1
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
