package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class RandomFamilyTest {
  static final String CASES = """
    Dropout(float32[2x3]) -> float32[2x3]
    Dropout(float32[2x3], float32:0.5, bool:0) -> float32[2x3], bool[2x3]
    Dropout(float32[2x3], float32:0.0, bool:1) -> float32[2x3]
    Dropout(float32[2x3], float64[scalar]) -> float32[2x3]
    Dropout(float32[2x3], float32:0.5, bool:1) !! set attribute training_mode to 1 and leave out the third operand
    Dropout(float32[2x3], _, bool:[1]) !! set attribute training_mode to 1
    Dropout(float32[2x3], _, bool[scalar]) !! only known when the model runs
    Dropout(float32[2x3], float32[2]) !! not a scalar: input=1
    Dropout(int32[2x3]) !! dtype=int32
    Dropout{training_mode=1}(float32[2x3]) -> float32[2x3], bool[2x3]
    Dropout{training_mode=1, draw=2, axes=[0]}(float16[2x3], float32:0.5, _, int64[2]) -> float16[2x3]
    Dropout{training_mode=1}(float32[2x3], float32:0.5, bool:1) !! leave out the third operand: training_mode=1
    Dropout{training_mode=1}(float32[2x3], float32:1.5) !! from 0 to 1: ratio=1.5
    Dropout{training_mode=1}(float32[2x3], _, _, int64[3]) !! seed and draw are int64[2]
    Dropout{training_mode=1, axes=[2]}(float32[2x3]) !! no such axis
    RandomNormal{shape=[2,3]}() -> float32[2x3]
    RandomNormal{shape=[2], dtype="int64"}() !! random numbers are real: dtype=int64
    RandomUniform{shape=[], dtype="float16"}() -> float16[scalar]
    RandomUniform{shape=[2], dtype="real"}() !! no such element type
    RandomUniform{shape=[3]}(int64[2]) -> float32[3]
    RandomUniform{shape=[3]}(int32[2]) !! seed and draw are int64[2]
    Bernoulli(float32[4], int64[2]) -> float32[4]
    RandomNormalLike(float64[2x3]) -> float64[2x3]
    RandomNormalLike{dtype="float32"}(int64[2x3]) -> float32[2x3]
    RandomNormalLike(int64[2x3]) !! random numbers are real
    RandomUniformLike{dtype="float64"}(bool[2x3]) -> float64[2x3]
    RandomUniformLike(bool[2x3]) !! random numbers are real
    Bernoulli{dtype="bool"}(float32[4]) -> bool[4]
    Bernoulli(int32[4]) !! unsupported element type
    Multinomial{sample_size=5}(float32[2x3]) -> int32[2x5]
    Multinomial{dtype="int64"}(float16[2x3]) -> int64[2x1]
    Multinomial(float32[2]) !! likelihoods [batch,class]
    Multinomial{dtype="float32"}(float32[2x3]) !! dtype=float32
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
