package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ExpertFamilyTest {
  static final String CASES = """
    MoE{k=2}(float32[7x4], float32[7x3], float32[3x6x4], float32[3x6], float32[3x4x6], float32[3x4]) -> float32[7x4]
    MoE(float16[2x3x4], float16[6x3], float16[3x6x4], _, float16[3x4x6]) -> float16[2x3x4]
    MoE{activation_type="swiglu", swiglu_fusion=1}(float32[7x4], float32[7x3], float32[3x6x4], _, float32[3x4x3]) -> \
    float32[7x4]
    MoE{activation_type="swiglu"}(float32[7x4], float32[7x3], float32[3x6x4], _, float32[3x4x3]) !! swiglu_fusion=0
    MoE{activation_type="tanh"}(float32[7x4], float32[7x3], float32[3x6x4], _, float32[3x4x6]) !! no such experts
    MoE{use_sparse_mixer=1}(float32[7x4], float32[7x3], float32[3x6x4], _, float32[3x4x6]) !! a sparse mixer
    MoE{k=4}(float32[7x4], float32[7x3], float32[3x6x4], _, float32[3x4x6]) !! k=4 experts=3
    MoE(float32[7x4], float32[6x3], float32[3x6x4], _, float32[3x4x6]) !! a score of each expert for each token
    MoE(float32[7x4], float32[7x3], float32[3x4x6], _, float32[3x6x4]) !! weights do not fit: input=2
    MoE(float32[7x4], float32[7x3], float32[3x6x4], _, float32[3x4x5]) !! weights do not fit: input=4
    MoE(float32[7x4], float32[7x3], float32[3x6x4], float32[3x4], float32[3x4x6]) !! \
    one bias for each row is needed: input=3
    MoE(float32[7x4], float32[7x3], float32[3x6x4], _, float32[3x4x6], _, float32[3x6x4]) !! input=6
    QMoE(float32[7x8], float32[7x3], uint8[3x6x4], float32[3x6], _, uint8[3x8x3], float32[3x8]) -> float32[7x8]
    QMoE{block_size=4}(float32[7x8], float32[7x3], uint8[3x8x4], float32[3x8x2], _, uint8[3x8x4], float32[3x8x2], _, \
    _, _, _, uint8[3x8x1], uint8[3x8x1], _, float32[7x3]) -> float32[7x8]
    QMoE{expert_weight_bits=8}(float32[7x8], float32[7x3], uint8[3x6x8], float32[3x6], float32[3x6], uint8[3x8x6], \
    float32[3x8]) -> float32[7x8]
    QMoE(float32[7x8], float32[7x3], uint8[3x6x4], float32[3x5], _, uint8[3x8x3], float32[3x8]) !! wanted=18
    QMoE(float32[7x8], float32[7x3], uint8[3x6x4], _, _, uint8[3x8x3], float32[3x8]) !! an input is missing: input=3
    QMoE(float32[7x8], float32[7x3], uint8[3x6x4], float32[3x6], _, uint8[3x8x3], float32[3x8], _, _, _, _, \
    float32[9]) !! zero points are packed: input=11 dtype=float32
    QMoE{quant_type="fp4"}(float32[7x8], float32[7x3], uint8[3x6x4], float32[3x6], _, uint8[3x8x3], float32[3x8]) !! \
    weights of whole numbers are needed
    QMoE(float32[7x8], float32[7x3], uint8[3x6x4], float32[3x6], _, uint8[3x8x3], float32[3x8], _, uint8[3x6x4]) !! \
    not supported: input=8
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
