package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ImageFamilyTest {
  static final String CASES = """
    MaxRoiPool{pooled_shape=[2,3]}(float32[2x3x9x9], float32[4x5]) -> float32[4x3x2x3]
    MaxRoiPool{pooled_shape=[2]}(float32[2x3x9x9], float32[4x5]) !! two numbers of bins are needed
    MaxRoiPool{pooled_shape=[2,3]}(float32[2x3x9x9], float32[4x4]) !! regions [R,5]
    AffineGrid(float32[2x2x3], int64:[2,3,4,5]) -> float32[2x4x5x2]
    AffineGrid(float32[2x3x4], int64:[2,3,4,5]) !! a matrix for each image of 2 or 3 axes is needed
    CenterCropPad(float32[3x4], int64:[5,2]) -> float32[5x2]
    CenterCropPad{axes=[-1]}(float32[3x4], int64:[0]) -> float32[3x0]
    CenterCropPad(float32[3x4], int64:[5]) !! the numbers of axes and extents differ: axes=2 extents=1
    GridSample(float32[1x2x4x5], float32[1x6x7x2]) -> float32[1x2x6x7]
    GridSample{mode="cubic"}(float32[1x2x4], float32[1x6x1]) -> float32[1x2x6]
    GridSample(float32[1x2x4x5], float32[1x6x7x3]) !! one position for each spatial axis is needed
    GridSample{mode="area"}(float32[1x2x4x5], float32[1x6x7x2]) !! unknown value: mode="area"
    GridSampleGradient(float16[1x2x6x7], float16[1x2x4x5], float32[1x6x7x2]) -> float16[1x2x4x5], float32[1x6x7x2]
    GridSampleGradient(float32[1x2x6x6], float32[1x2x4x5], float32[1x6x7x2]) !! not the shape of the result
    Resize(float32[1x1x2x4], _, float32:[1,1,0.6,0.6]) -> float32[1x1x1x2]
    Resize{axes=[-1]}(float32[2x4], _, _, int64:[7]) -> float32[2x7]
    Resize{axes=[0,1], keep_aspect_ratio_policy="not_larger"}(float32[2x4], _, _, int64:[7,8]) -> float32[4x8]
    Resize{axes=[0,1], keep_aspect_ratio_policy="not_smaller"}(float32[2x4], _, _, int64:[7,8]) -> float32[7x14]
    Resize{coordinate_transformation_mode="tf_crop_and_resize"}(float32[4], float32:[0,0.5], float32:[3]) -> float32[6]
    Resize(float32[2x4]) !! either scales or sizes, one for each axis
    Resize(float32[4], _, float32:[-1]) !! no such scale: scale=-1.0 extent=4
    Resize(float32[0], _, _, int64:[3]) !! no such size: size=3 extent=0
    Resize{mode="area"}(float32[4], _, float32:[2]) !! unknown value: mode="area"
    CropAndResize(float32[1x5x8x8], float32[4x4], int32[4], int32:[2,3]) -> float32[4x5x2x3]
    CropAndResize{mode="cubic"}(float32[1x5x8x8], float32[4x4], int32[4], int32:[2,3]) !! unknown value: mode="cubic"
    CropAndResize(float32[1x5x8x8], float32[4x5], int32[4], int32:[2,3]) !! images N,C,H,W, regions [R,4] and R
    CropAndResize(float32[1x5x0x8], float32[4x4], int32[4], int32:[2,3]) !! images N,C,H,W, regions [R,4] and R
    CropAndResize(float32[1x5x8x8], float32[4x4], int32[4], int32:[2,0]) !! rows and columns are needed
    CropAndResize(float32[1x5x8x8], float32[4x4], int32[4], int32[2]) !! only known when the model runs: input=3
    RoiAlign{output_height=2, output_width=3}(float32[1x5x8x8], float32[4x4], int64[4]) -> float32[4x5x2x3]
    RoiAlignGradient{output_height=2}(float32[4x5x2x1], float32[1x5x8x8], float32[4x4], int64[4]) -> float32[1x5x8x8]
    RoiAlignGradient(float32[4x5x2x1], float32[1x5x8x8], float32[4x4], int64[4]) !! not the shape of the result
    RoiAlign(float32[1x5x8x8], float32[4x4], int64[3]) !! images N,C,H,W, regions [R,4] and R numbers of images
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
