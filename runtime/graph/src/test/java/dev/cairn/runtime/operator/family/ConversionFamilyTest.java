package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ConversionFamilyTest {
  static final String CASES = """
    BitCast{to="int32"}(float32[2x3]) -> int32[2x3]
    BitCast{to="int64"}(float32[2]) !! types of as many bits are needed: from=float32 to=int64
    BitCast{to="int4"}(float4e2m1[3]) -> int4[3]
    BitCast{to="int8"}(int4[2]) !! types of as many bits are needed: from=int4 to=int8
    BitCast(float32[2]) !! no such element type: to=""
    CastLike(float32[2x3], int8[5]) -> int8[2x3]
    CastLike(float32[2x3]) !! missing=[1]
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
