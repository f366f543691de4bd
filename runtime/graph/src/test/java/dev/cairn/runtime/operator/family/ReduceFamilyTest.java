package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ReduceFamilyTest {
  static final String CASES = """
    ReduceSum(float32[2x3x4]) -> float32[1x1x1]
    ReduceSum{keepdims=0}(float32[2x3x4]) -> float32[scalar]
    ReduceSum(float32[2x3x4], int64:[1]) -> float32[2x1x4]
    ReduceSum{keepdims=0}(float32[2x3x4], int64:[-1,0]) -> float32[3]
    ReduceSum{keepdims=0}(float32[2x3x4], int64:[]) -> float32[scalar]
    ReduceSum{noop_with_empty_axes=1}(float32[2x3x4]) -> float32[2x3x4]
    ReduceSum{noop_with_empty_axes=1, keepdims=0}(float32[2x3x4], int64:[]) -> float32[2x3x4]
    ReduceSum{noop_with_empty_axes=1, keepdims=0}(float32[2x3x4], int64:[1]) -> float32[2x4]
    ReduceSum(float32[scalar]) -> float32[scalar]
    ReduceSum(float32[0x3], int64:[0]) -> float32[1x3]
    ReduceSum(float32[2x3], int64:[2]) !! no such axis: axis=2 rank=2
    ReduceSum(float32[2x3], int64:[-3]) !! no such axis: axis=-3 rank=2
    ReduceSum(float32[2x3], int64:[1,-1]) !! duplicate axis: axis=-1
    ReduceSum(float32[2x3], int32:[1]) !! dtype=int32
    ReduceSum(float32[2x3], int64[1]) !! only known when the model runs: input=1
    ReduceSum(float32[2x3], int64[1x1]) !! not a list: input=1 shape=1x1
    ReduceSum(int8[2]) !! dtype=int8
    ReduceMean{keepdims=0}(float16[2x3], int64:1) -> float16[2]
    ReduceMean(bool[2]) !! dtype=bool
    ReduceProd(int64[5]) -> int64[1]
    ReduceProd(uint16[5]) !! dtype=uint16
    ReduceMax{keepdims=0}(bool[2x3], int64:[0]) -> bool[3]
    ReduceMax(int16[2]) !! dtype=int16
    ReduceMin(uint8[2x3], int64:[1]) -> uint8[2x1]
    ReduceMin(float32[2x3], int64:[5]) !! no such axis
    CumSum(float32[2x3], int64:1) -> float32[2x3]
    CumSum{exclusive=1}(int32[4], int32[1]) -> int32[4]
    CumSum(float32[2x3], int64:[0,1]) !! not a scalar: input=1 shape=2
    CumSum(float32[2x3], float32:1.0) !! input=1 dtype=float32

    ArgMax(float32[2x3]) -> int64[1x3]
    ArgMax{axis=-1, keepdims=0}(int8[2x3]) -> int64[2]
    ArgMax{axis=1}(float32[2x0]) !! an empty axis has no such place: data=2x0 axis=1
    ArgMax{axis=2}(float32[2x3]) !! no such axis
    ArgMin{axis=1}(float32[0x0]) -> int64[0x1]
    ArgMin(bool[3]) !! dtype=bool
    CumProd(float32[2x3], int64:[1]) -> float32[2x3]
    CumProd(float32[2x3], int64:[2]) !! no such axis
    ReduceL1(float32[2x3], int64:[-1]) -> float32[2x1]
    ReduceL1(int8[2x3]) !! dtype=int8
    ReduceL2(float32[2x3], int64:[-1]) -> float32[2x1]
    ReduceL2(int8[2x3]) !! dtype=int8
    ReduceLogSum(float32[2x3], int64:[-1]) -> float32[2x1]
    ReduceLogSum(int8[2x3]) !! dtype=int8
    ReduceLogSumExp(float32[2x3], int64:[-1]) -> float32[2x1]
    ReduceLogSumExp(int8[2x3]) !! dtype=int8
    ReduceSumSquare(float32[2x3], int64:[-1]) -> float32[2x1]
    ReduceSumSquare(int8[2x3]) !! dtype=int8
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
