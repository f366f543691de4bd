package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class IndexFamilyTest {
  static final String CASES = """
    ScatterAdd{shape=[9,4]}(float32[2x3x4], int64[2x3]) -> float32[9x4]
    ScatterAdd{shape=[4,9], axis=1}(float16[4x5], int32[5]) -> float16[4x9]
    ScatterAdd{shape=[4,9], of="GatherElements", axis=1}(float32[4x5], int32[4x5]) -> float32[4x9]
    ScatterAdd{shape=[4,9], of="GatherND", batch_dims=1}(float32[4], int64[4x1]) -> float32[4x9]
    ScatterAdd{shape=[9,4]}(float32[2x3x4], int64[2]) !! not the shape of what Gather picks: input=0 \
    shape=2x3x4 wanted=2x4
    ScatterAdd{shape=[9], of="Slice"}(float32[2], int64[2]) !! picked by Gather, GatherElements or GatherND
    ScatterAdd{shape=[9]}(int32[2], int64[2]) !! dtype=int32
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
    ScatterND(string[4], int64[2x1], string[2]) -> string[4]
    ScatterND(float32[4x5x6], int64[7x2x3], float32[7x2]) -> float32[4x5x6]
    ScatterND(float32[4x5], int64[2x3], float32[2]) !! indexes name more axes than there are
    ScatterND(float32[4x5], int64[2x1], float32[2x4]) !! one slice for each index is needed: input=2 \
    shape=2x4 wanted=2x5
    ScatterND(float32[4x5], int64[2x1], float64[2x5]) !! element types differ

    GatherND(float32[2x3x4], int64[5x2]) -> float32[5x4]
    GatherND{batch_dims=1}(float32[2x3x4], int64[2x5x1]) -> float32[2x5x4]
    GatherND{batch_dims=1}(float32[2x3x4], int64[3x5x1]) !! indexes and data do not fit
    GatherND(float32[2x3], int64[5x3]) !! indexes and data do not fit
    OneHot(int64[2x3], int64:[5], float32[2]) -> float32[2x3x5]
    OneHot{axis=0}(float32[2x3], float32[scalar], bool[2]) !! only known when the model runs: input=1
    OneHot{axis=-2}(int32[2x3], int32:[4], bool[2]) -> bool[2x4x3]
    OneHot(int64[2x3], int64:[-5], float32[2]) !! the depth is negative: depth=-5
    OneHot(int64[2x3], int64:[5], float32[3]) !! two values are needed, off and on: input=2 shape=3 wanted=2
    ReverseSequence(float32[4x3x2], int64[3]) -> float32[4x3x2]
    ReverseSequence{batch_axis=0, time_axis=1}(float32[4x3], int64[3]) !! one length for each sequence is needed
    ReverseSequence{batch_axis=2}(float32[4x3x2], int64[2]) !! axes 0 and 1 are time and batch
    ScatterElements(float32[3x3], int64[2x3], float32[2x3]) -> float32[3x3]
    ScatterElements{axis=1, reduction="add"}(int32[1x5], int32[1x9], int32[1x9]) -> int32[1x5]
    ScatterElements(float32[3x3], int64[2x4], float32[2x4]) !! indexes exceed the data's shape
    ScatterElements(float32[3x3], int64[2x3], float32[2x2]) !! one update for each index is needed
    ScatterElements{reduction="xor"}(float32[3x3], int64[2x3], float32[2x3]) !! unknown reduction: reduction="xor"
    ScatterND{reduction="add"}(bool[3], int64[2x1], bool[2]) !! dtype=bool
    TensorScatter(float32[2x3x8x4], float32[2x3x2x4], int64[2]) -> float32[2x3x8x4]
    TensorScatter{axis=1, mode="circular"}(float32[2x8x4], float32[2x3x4]) -> float32[2x8x4]
    TensorScatter(float32[2x3x8x4], float32[2x3x9x4]) !! the update does not fit the cache
    TensorScatter{axis=0}(float32[2x3], float32[1x3]) !! an axis after the batch
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
