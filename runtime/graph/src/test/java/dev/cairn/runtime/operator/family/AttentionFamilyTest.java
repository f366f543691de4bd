package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class AttentionFamilyTest {
  static final String CASES = """
    AttentionGradient(float32[1x4x3x2], float32[1x4x3x5], float32[1x2x7x5], float32[1x2x7x2]) -> float32[1x4x3x5], \
      float32[1x2x7x5], float32[1x2x7x2]
    AttentionGradient{q_num_heads=2, kv_num_heads=2}(float16[1x3x4], float16[1x3x6], float16[1x7x6], float16[1x7x4], \
      bool[3x7]) -> float16[1x3x6], float16[1x7x6], float16[1x7x4]
    AttentionGradient(float32[1x4x3x5], float32[1x4x3x5], float32[1x2x7x5], float32[1x2x7x2]) !! not the shape of the
    AttentionGradient(float32[1x4x3x2], float32[1x4x3x5], float32[1x2x7x5], float32[1x2x7x2], int32[7]) !! a mask must
    KeyMask(int32[2], int64:[2,3,5]) -> bool[2x1x1x5]
    KeyMask(int32[2x3x5], int64:[2,3,5]) -> bool[2x1x3x5]
    KeyMask(int32[2x4], int64:[2,3,5]) !! no such mask of keys
    Attention(float32[2x3x4x5], float32[2x3x6x5], float32[2x3x6x7]) -> float32[2x3x4x7]
    Attention(float16[2x6x4x5], float16[2x3x6x5], float16[2x3x6x7]) -> float16[2x6x4x7]
    Attention{q_num_heads=4, kv_num_heads=2}(float32[2x3x20], float32[2x6x10], float32[2x6x6]) -> float32[2x3x12]
    Attention(float32[2x3x4x5], float32[2x3x6x5], float32[2x3x6x7], bool[4x6]) -> float32[2x3x4x7]
    Attention(float32[2x3x4x5], float32[2x3x6x5], float32[2x3x6x7], float32[2x1x1x6]) -> float32[2x3x4x7]
    Attention{softcap=0.0}(float32[1x1x0x5], float32[1x1x6x5], float32[1x1x6x7]) -> float32[1x1x0x7]
    Attention(float32[2x3x4x5], float32[2x3x6x5], float32[2x3x6x7], float16[4x6]) !! a mask must have type bool
    Attention(float32[2x3x4x5], float32[2x3x6x5], float32[2x3x6x7], float32[4x7]) !! shapes do not broadcast
    Attention(float32[2x3x4x5], float32[2x3x6x5], float32[2x3x6x7], float32[2x2x3x4x6]) !! the mask cannot be broadcast
    Attention(float32[2x3x4x5], float32[2x3x6x4], float32[2x3x6x7]) !! operands of other extents
    Attention(float32[2x3x4x5], float32[2x2x6x5], float32[2x2x6x7]) !! heads=3 keyHeads=2
    Attention(float32[2x3x20], float32[2x6x10], float32[2x6x6]) !! q_num_heads=0
    Attention(float32[2x3x4x5], float64[2x3x6x5], float32[2x3x6x7]) !! element types differ
    Attention{softcap=2.0}(float32[2x3x4x5], float32[2x3x6x5], float32[2x3x6x7]) -> float32[2x3x4x7]
    Attention(float32[2x4x4x5], float32[2x2x6x5], float32[2x2x6x7], _, float32[2x2x3x5], float32[2x2x3x7]) -> \
      float32[2x4x4x7], float32[2x2x9x5], float32[2x2x9x7], float32[2x4x4x9]
    Attention{q_num_heads=4, kv_num_heads=2}(float32[2x3x20], float32[2x6x10], float32[2x6x6], float32[3x5], _, \
      _, int64[2]) -> float32[2x3x12], float32[2x2x6x5]
    Attention(float32[2x4x4x5], float32[2x2x6x5], float32[2x2x6x7], _, float32[2x2x3x5], float32[2x2x4x7]) !! \
      no caches of
    Attention(float32[2x3x4x5], float32[2x3x6x5], float32[2x3x6x7], _, _, _, int64[3]) !! one length for each batch
    Attention{softcap=-2.0}(float32[2x3x4x5], float32[2x3x6x5], float32[2x3x6x7]) !! softcap=-2.0
    Attention{qk_matmul_output_mode=4}(float32[2x3x4x5], float32[2x3x6x5], float32[2x3x6x7]) !! qk_matmul_output_mode=4

    RotaryEmbedding(float32[2x3x4x8], float32[2x4x4], float32[2x4x4]) -> float32[2x3x4x8]
    RotaryEmbedding{num_heads=3}(float32[2x4x24], float32[50x4], float32[50x4], int64[2x4]) -> float32[2x4x24]
    RotaryEmbedding{rotary_embedding_dim=4}(float32[2x3x4x8], float32[2x4x2], float32[2x4x2]) -> float32[2x3x4x8]
    RotaryEmbedding(float32[2x4x24], float32[50x4], float32[50x4], int64[2x4]) !! no heads: input=2x4x24 num_heads=0
    RotaryEmbedding{rotary_embedding_dim=3}(float32[2x3x4x8], float32[2x4x2], float32[2x4x2]) !! not pairs
    RotaryEmbedding(float32[2x3x4x8], float32[2x4x3], float32[2x4x3]) !! caches of other extents
    RotaryEmbedding(float32[2x3x4x8], float32[50x4], float32[50x4], int64[4]) !! one position for each step is needed
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
