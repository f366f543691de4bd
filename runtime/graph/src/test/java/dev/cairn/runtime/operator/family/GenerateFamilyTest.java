package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class GenerateFamilyTest {
  static final String CASES = """
    ConstantOfShape(int64:[2,3]) -> float32[2x3]
    ConstantOfShape{value=int64:[7]}(int64:[2,0]) -> int64[2x0]
    ConstantOfShape{value=bool:[1]}(int64:[]) -> bool[scalar]
    ConstantOfShape(int64:[-1]) !! negative extent
    ConstantOfShape{value=int64:[7,8]}(int64:[2]) !! a tensor of one element is needed
    ConstantOfShape{value=7}(int64:[2]) !! a tensor of one element is needed: value=7
    ConstantOfShape(int64[2]) !! only known when the model runs
    ConstantOfShape(float32:[2]) !! dtype=float32
    Range(int64:0, int64:10, int64:3) -> int64[4]
    Range(int64:10, int64:4, int64:-2) -> int64[3]
    Range(int32:5, int32:5, int32:1) -> int32[0]
    Range(int64:0, int64:10, int64:-1) -> int64[0]
    Range(float32:1.0, float32:2.0, float32:0.25) -> float32[4]
    Range(float32:0.0, float32:1.0, float32:0.1) -> float32[10]
    Range(float64:0, float64:1, float64:0.3) -> float64[4]
    Range(int64:[0], int64:[4], int64:[1]) -> int64[4]
    Range(int64:0, int64:10, int64:0) !! the delta of a range must not be 0
    Range(float32:0, float32:NaN, float32:1) !! a range must be finite
    Range(float32:0, float32:Infinity, float32:1) !! a range must be finite
    Range(int64:-9223372036854775807, int64:9223372036854775807, int64:1) !! shape arithmetic failed
    Range(int64:0, int32:10, int64:1) !! element types differ
    Range(int64:0, int64:[1,2], int64:1) !! not a scalar: input=1 shape=2
    Range(int64[scalar], int64:4, int64:1) !! only known when the model runs: input=0

    EyeLike(int32[3x4]) -> int32[3x4]
    EyeLike{dtype="float16", k=1}(int32[3x4]) -> float16[3x4]
    EyeLike(int32[3]) !! not a matrix: input=3
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
