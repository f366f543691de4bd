package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ShapeFamilyTest {
  static final String CASES = """
    Identity(bool[2x3]) -> bool[2x3]
    Identity() !! missing=[0]
    StopGradient(float32[2x3]) -> float32[2x3]
    StopGradient() !! missing=[0]
    Flatten(float32[2x3x4]) -> float32[2x12]
    Flatten{axis=0}(int8[2x3x4]) -> int8[1x24]
    Flatten{axis=3}(float32[2x3x4]) -> float32[24x1]
    Flatten{axis=-1}(float32[2x3x4]) -> float32[6x4]
    Flatten{axis=0}(float32[scalar]) -> float32[1x1]
    Flatten(float32[2x0x4]) -> float32[2x0]
    Flatten{axis=4}(float32[2x3x4]) !! no such axis: axis=4 rank=3
    Flatten{axis=-4}(float32[2x3x4]) !! no such axis: axis=-4 rank=3
    Flatten(float32[scalar]) !! no such axis
    Reshape(float32[2x3], int64:[3,2]) -> float32[3x2]
    Reshape(float32[2x3], int64:[-1]) -> float32[6]
    Reshape(float32[2x3x4], int64:[0,-1]) -> float32[2x12]
    Reshape(float32[2x3x4], int64:[0,0,2,-1]) -> float32[2x3x2x2]
    Reshape(float32[1x1], int64:[]) -> float32[scalar]
    Reshape(bool[scalar], int64:[1,1,-1]) -> bool[1x1x1]
    Reshape(float32[0x3], int64:[0,5]) -> float32[0x5]
    Reshape{allowzero=1}(float32[0x3], int64:[7,0]) -> float32[7x0]
    Reshape(float32[0x3], int64:[3,-1]) -> float32[3x0]
    Reshape(float32[2x3], int64:[4,2]) !! element counts differ: from=2x3 to=[4, 2]
    Reshape(float32[2x3], int64:[4,-1]) !! element counts differ: from=2x3 to=[4, -1]
    Reshape(float32[2x3], int64:[-1,-1]) !! except for one -1: shape=[-1, -1]
    Reshape(float32[2x3], int64:[-2,3]) !! extents must be at least 0
    Reshape(float32[2x3], int64:[2,3,0]) !! no input extent to copy: shape=[2, 3, 0] place=2
    Reshape{allowzero=1}(float32[0x3], int64:[0,-1]) !! element counts differ
    Reshape{allowzero=1}(float32[2x3], int64:[0,3]) !! element counts differ
    Reshape(float32[0x3], int64:[0,-1]) !! element counts differ
    Reshape(float32[2x3], int64:[4611686018427387904,4611686018427387904]) !! shape arithmetic failed
    Reshape(float32[2x3], int64[2]) !! depends on a value that is only known when the model runs: input=1
    Reshape(float32[2x3], int32:[6]) !! dtype=int32
    Reshape(float32[2x3], _) !! missing=[1]
    Squeeze(float32[1x3x1x2]) -> float32[3x2]
    Squeeze(float32[1x3x1x2], int64:[0]) -> float32[3x1x2]
    Squeeze(float32[1x3x1x2], int64:[-2,0]) -> float32[3x2]
    Squeeze(float32[1x1]) -> float32[scalar]
    Squeeze(float32[1x3], int64:[]) -> float32[1x3]
    Squeeze(float32[1x3], int64:[1]) !! only an axis of extent 1 can be removed: axis=1 extent=3
    Squeeze(float32[1x3], int64:[2]) !! no such axis
    Squeeze(float32[1x3], int64:[0,-2]) !! duplicate axis
    Unsqueeze(float32[2x3], int64:[0]) -> float32[1x2x3]
    Unsqueeze(float32[2x3], int64:[-1,1]) -> float32[2x1x3x1]
    Unsqueeze(float32[scalar], int64:0) -> float32[1]
    Unsqueeze(float32[2x3], int64:[3]) !! no such axis: axis=3 rank=3
    Unsqueeze(float32[2x3], int64:[0,0]) !! duplicate axis
    Unsqueeze(float32[2x3]) !! missing=[1]
    Shape(float32[2x3x4]) -> int64[3]
    Shape(bool[scalar]) -> int64[0]
    Shape{start=1}(float32[2x3x4]) -> int64[2]
    Shape{start=-1}(float32[2x3x4]) -> int64[1]
    Shape{start=-9, end=9}(float32[2x3x4]) -> int64[3]
    Shape{start=2, end=1}(float32[2x3x4]) -> int64[0]
    Shape{end=-1}(float32[2x3x4]) -> int64[2]
    Shape(float32[2], float32[2]) !! wrong number of inputs
    Size(float32[2x3]) -> int64[scalar]
    Size() !! missing=[0]
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
