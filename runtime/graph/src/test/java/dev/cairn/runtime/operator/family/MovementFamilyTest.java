package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class MovementFamilyTest {
  static final String CASES = """
    Concat{axis=1}(float32[2x3], float32[2x4], float32[2x0]) -> float32[2x7]
    Concat{axis=-2}(bool[2x3], bool[1x3]) -> bool[3x3]
    Concat{axis=0}(int64[1]) -> int64[1]
    Concat(float32[2x3], float32[2x3]) !! the axis is missing
    Concat{axis=2}(float32[2x3], float32[2x3]) !! no such axis: axis=2 rank=2
    Concat{axis=0}(float32[2x3], float32[2x4]) !! shapes differ beside the axis: axis=0 input0=2x3 input1=2x4
    Concat{axis=0}(float32[2x3], float32[2x3x1]) !! shapes differ beside the axis
    Concat{axis=0}(float32[scalar], float32[scalar]) !! no such axis
    Concat{axis=0}(float32[2], int64[2]) !! element types differ
    Concat{axis=0}(float32[2], _) !! wrong number of inputs
    Expand(float32[3x1], int64:[2,1,6]) -> float32[2x3x6]
    Expand(float32[3x4], int64:[1]) -> float32[3x4]
    Expand(float32[3], int64:[]) -> float32[3]
    Expand(float32[1], int64:[0]) -> float32[0]
    Expand(float32[3], int64:[4]) !! shapes do not broadcast: left=3 right=4
    Expand(float32[3], int64:[-1]) !! negative extent
    Expand(float32[3], int64[1]) !! only known when the model runs
    Pad(float32[2x3], int64:[0,1,0,2]) -> float32[2x6]
    Pad{mode="reflect"}(float32[2x3], int64:[0,1,0,2], float32:0.5) -> float32[2x6]
    Pad(float32[2x3], int64:[-1,0,0,-2]) -> float32[1x1]
    Pad(float32[2x3x4], int64:[1,1], _, int64:[-1]) -> float32[2x3x6]
    Pad{mode="wrap"}(float32[2x3x4], int64:[1,2,3,4], _, int32:[2,0]) -> float32[8x3x8]
    Pad{mode="edge"}(float32[0x3], int64:[0,1,0,1]) -> float32[0x5]
    Pad(float32[scalar], int64:[]) -> float32[scalar]
    Pad(float32[0], int64:[1,1]) -> float32[2]
    Pad{mode="edge"}(float32[0], int64:[1,1]) !! nothing is left to pad
    Pad(float32[2x3], int64:[-2,0,-1,0]) !! nothing is left to pad: axis=0 extent=2 begin=-2 end=-1
    Pad(float32[2x3], int64:[1,1]) !! a begin and an end for each axis are needed: pads=2 rank=2
    Pad(float32[2x3], int64:[1,1,1], _, int64:[0]) !! a begin and an end
    Pad(float32[2x3], int64:[1,1], _, int64:[0,1]) !! the numbers of axes and values differ
    Pad(float32[2x3], int64:[1,1], _, int64:[2]) !! no such axis
    Pad(float32[2x3], int64:[1,1,1,1], _, int64:[0,-2]) !! duplicate axis
    Pad{mode="mirror"}(float32[2], int64:[1,1]) !! unknown padding mode: mode="mirror"
    Pad(float32[2], int64:[1,1], int64:0) !! element types differ
    Pad(float32[2], int64:[9223372036854775807,9]) !! shape arithmetic failed
    Slice(float32[10x20], int64:[1], int64:[5]) -> float32[4x20]
    Slice(float32[10x20], int64:[0,-5], int64:[100,-1], int64:[1,0]) -> float32[4x20]
    Slice(float32[10], int64:[-1], int64:[-9223372036854775807], int64:[0], int64:[-3]) -> float32[4]
    Slice(float32[10], int64:[0], int64:[9223372036854775807], _, int64:[4]) -> float32[3]
    Slice(float32[10x20], int32:[2], int32:[2], int32:[-1]) -> float32[10x0]
    Slice(bool[3], int64:[], int64:[]) -> bool[3]
    Slice(float32[10], int64:[0], int64:[5], int64:[0], int64:[0]) !! step=0
    Slice(float32[10], int64:[0,0], int64:[5]) !! the numbers of starts, ends and steps differ: starts=2 ends=1 steps=2
    Slice(float32[10], int64:[0,0], int64:[5,5]) !! more starts than axes
    Slice(float32[10], int64:[0], int64:[5], int64:[1]) !! no such axis
    Slice(float32[10x9], int64:[0,1], int64:[5,5], int64:[1,-1]) !! duplicate axis
    Slice(float32[10x9], int64:[0,1], int64:[5,5], int64:[1]) !! the numbers of axes and values differ
    Slice(float32[10], float32:[0], int64:[5]) !! dtype=float32
    Slice(float32[10], int64[1], int64:[5]) !! only known when the model runs: input=1
    Split{num_outputs=3}(float32[6x2]) -> float32[2x2], float32[2x2], float32[2x2]
    Split{num_outputs=3, axis=-1}(float32[2x7]) -> float32[2x3], float32[2x3], float32[2x1]
    Split{num_outputs=1}(float32[5]) -> float32[5]
    Split{num_outputs=2}(float32[0]) -> float32[0], float32[0]
    Split{axis=1}(float32[2x7], int64:[4,0,3]) -> float32[2x4], float32[2x0], float32[2x3]
    Split{num_outputs=4}(float32[5]) !!4 the parts do not add up to the axis: parts=[2, 2, 2, -1] outputs=4 extent=5
    Split{num_outputs=2}(float32[5]) !!3 the numbers of parts and outputs differ: num_outputs=2 outputs=3
    Split(float32[5], int64:[2,2]) !!2 the parts do not add up to the axis: parts=[2, 2] outputs=2 extent=5
    Split(float32[5], int64:[2,3]) !!3 the parts do not add up to the axis
    Split(float32[5], int64:[6,-1]) !!2 the parts do not add up to the axis
    Split(float32[5]) !!2 give either split or num_outputs
    Split{num_outputs=2}(float32[5], int64:[2,3]) !!2 give either split or num_outputs
    Split{num_outputs=2, axis=1}(float32[5]) !!2 no such axis
    Tile(float32[2x3], int64:[2,3]) -> float32[4x9]
    Tile(float32[2x3], int64:[0,1]) -> float32[0x3]
    Tile(float32[scalar], int64:[]) -> float32[scalar]
    Tile(float32[2x3], int64:[2]) !! one count for each axis is needed: repeats=1 rank=2
    Tile(float32[2x3], int64:[2,-1]) !! a negative count
    Tile(float32[2x3], int64:[9223372036854775807,1]) !! shape arithmetic failed
    Transpose(float32[2x3x4]) -> float32[4x3x2]
    Transpose{perm=[0,2,1]}(bool[2x3x4]) -> bool[2x4x3]
    Transpose(float32[scalar]) -> float32[scalar]
    Transpose{perm=[0,1]}(float32[2x3x4]) !! not a permutation of the axes: perm=[0, 1] rank=3
    Transpose{perm=[0,0,1]}(float32[2x3x4]) !! duplicate axis
    Transpose{perm=[0,-1,1]}(float32[2x3x4]) !! not a permutation
    Transpose{perm=[0,1,3]}(float32[2x3x4]) !! no such axis
    Trilu(float32[2x3x4]) -> float32[2x3x4]
    Trilu{upper=0}(bool[3x4], int64[scalar]) -> bool[3x4]
    Trilu(float32[4]) !! not matrices: input=4
    Trilu(float32[3x4], int64:[1,2]) !! not a scalar
    DepthToSpace{blocksize=2}(float32[1x8x2x3]) -> float32[1x2x4x6]
    DepthToSpace{blocksize=3}(float32[1x8x2x3]) !! does not divide: channels=8 parts=9
    DepthToSpace(float32[1x8x2x3]) !! blocks of N,C,H,W are needed: input=1x8x2x3 blocksize=0
    SpaceToDepth{blocksize=2}(float32[1x2x4x6]) -> float32[1x8x2x3]
    SpaceToDepth{blocksize=2}(float32[1x2x4x5]) !! does not divide: columns=5 parts=2
    SpaceToDepth{blocksize=2}(float32[2x4x6]) !! blocks of N,C,H,W
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
