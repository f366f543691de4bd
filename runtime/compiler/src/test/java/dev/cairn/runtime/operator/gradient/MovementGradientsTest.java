package dev.cairn.runtime.operator.gradient;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class MovementGradientsTest {
  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return GradientDifferences.tests("""
      Concat{axis=1}([2x3], [2x1])
      Concat{axis=-1}([2x3])
      DepthToSpace{blocksize=2}([1x8x1x2])
      DepthToSpace{blocksize=2, mode="CRD"}([1x8x1x2])
      SpaceToDepth{blocksize=2}([1x2x2x4])
      Expand([2x1], int64:[2,2,3])
      Expand([3], int64:[1])
      Pad([2x3], int64:[1,0,0,2])
      Pad([2x3], int64:[1,-1,0,2], [scalar])
      Pad([2x3], int64:[2,1], _, int64:[-1])
      Pad{mode="edge"}([2x3], int64:[1,2,3,4])
      Pad{mode="reflect"}([3x4], int64:[1,2,2,3])
      Pad{mode="reflect"}([3x4], int64:[1,-1,-1,2])
      Pad{mode="wrap"}([3x4], int64:[1,2,3,4])
      Slice([5x4], int64:[1], int64:[3])
      Slice([5x4], int64:[1,-3], int64:[100,-1], int64:[1,0])
      Slice([7], int64:[1], int64:[7], int64:[0], int64:[2])
      Slice([7], int64:[-2], int64:[-100], int64:[0], int64:[-2])
      Slice([7x2], int64:[100,0], int64:[-100,2], int64:[0,1], int64:[-3,1])
      Slice([5], int64:[3], int64:[3])
      Slice([0x3], int64:[-1], int64:[-9], int64:[0], int64:[-1])
      Split{axis=0}([5x2], int64:[2,3]) -> 2
      Split{axis=-1, num_outputs=2}([2x5]) -> 2
      Tile([2x3], int64:[2,3])
      Tile([2x3], int64:[1,1])
      Transpose([2x3])
      Transpose{perm=[1,2,0]}([2x3x2])
      Trilu([3x3])
      Trilu{upper=0}([3x4], int64:1)
      ReverseSequence{batch_axis=1, time_axis=0}([3x2], int64:[2,3])
      """);
  }
}
