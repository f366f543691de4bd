package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class IndexFamilyTest {
  static final String CASES = """
    Gather(float32[5x6], int64[2x3]) -> float32[2x3x6]
    Gather{axis=1}(float32[5x6], int32[2]) -> float32[5x2]
    Gather{axis=-1}(int64[3], int64:2) -> int64[scalar]
    Gather(float32[5x6], int64[0]) -> float32[0x6]
    Gather{axis=2}(float32[5x6], int64[2]) !! no such axis: axis=2 rank=2
    Gather(float32[scalar], int64[2]) !! no such axis
    Gather(float32[5x6], float32[2]) !! input=1 dtype=float32
    GatherElements{axis=1}(float32[2x3], int64[2x7]) -> float32[2x7]
    GatherElements(bool[4], int32[2]) -> bool[2]
    GatherElements{axis=0}(float32[2x3], int64[2x7]) !! indexes exceed the data's shape: data=2x3 indexes=2x7 axis=0
    GatherElements(float32[2x3], int64[2]) !! indexes exceed the data's shape
    ScatterND(float32[4x5x6], int64[2x1], float32[2x5x6]) -> float32[4x5x6]
    ScatterND(float32[4x5x6], int64[7x2x3], float32[7x2]) -> float32[4x5x6]
    ScatterND(float32[4x5], int64[2x3], float32[2]) !! indexes name more axes than there are
    ScatterND(float32[4x5], int64[2x1], float32[2x4]) !! one slice for each index is needed: updates=2x4 wanted=2x5
    ScatterND(float32[4x5], int64[2x1], float64[2x5]) !! element types differ
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
