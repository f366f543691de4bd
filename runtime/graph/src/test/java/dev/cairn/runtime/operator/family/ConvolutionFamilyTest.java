package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ConvolutionFamilyTest {
  static final String CASES = """
    Conv(float32[1x3x8x8], float32[6x3x3x3]) -> float32[1x6x6x6]
    Conv{pads=[1,1,1,1]}(float32[2x3x8x8], float32[6x3x3x3], float32[6]) -> float32[2x6x8x8]
    Conv{strides=[2,2], pads=[3,3,3,3]}(float32[1x3x224x224], float32[64x3x7x7]) -> float32[1x64x112x112]
    Conv{group=4, kernel_shape=[3]}(float16[1x4x9], float16[8x1x3]) -> float16[1x8x7]
    Conv{dilations=[2,2]}(float32[1x1x7x7], float32[1x1x3x3]) -> float32[1x1x3x3]
    Conv{auto_pad="SAME_UPPER", strides=[2,2]}(float32[1x1x5x5], float32[1x1x3x3]) -> float32[1x1x3x3]
    Conv(float32[0x3x8x8], float32[6x3x3x3]) -> float32[0x6x6x6]
    Conv(float32[1x2x4x4x4], float32[3x2x2x2x2]) -> float32[1x3x3x3x3]
    Conv(float32[1x3], float32[6x3]) !! rank, 3 or more: input=1x3 weights=6x3
    Conv(float32[1x3x8x8], float32[6x3x3]) !! rank, 3 or more
    Conv(float32[1x4x8x8], float32[6x3x3x3]) !! channels and groups do not fit: input=1x4x8x8 weights=6x3x3x3 group=1
    Conv{group=3}(float32[1x3x8x8], float32[7x1x3x3]) !! channels and groups do not fit
    Conv{group=0}(float32[1x3x8x8], float32[6x3x3x3]) !! group=0
    Conv{kernel_shape=[5,5]}(float32[1x3x8x8], float32[6x3x3x3]) !! kernel_shape
    Conv(float32[1x3x2x2], float32[6x3x3x3]) !! window is larger
    Conv{strides=[0,1]}(float32[1x3x8x8], float32[6x3x3x3]) !! strides
    Conv(float32[1x3x8x8], float32[6x3x3x3], float32[5]) !! one bias for each output channel is needed: input=2 shape=5
    Conv(float32[1x3x8x8], float32[6x3x3x3], float32[6x1]) !! one bias
    Conv(float32[1x3x8x8], float64[6x3x3x3]) !! element types differ
    Conv(int32[1x3x8x8], int32[6x3x3x3]) !! dtype=int32

    DeformConv(float32[1x2x3x3], float32[3x2x2x2], float32[1x8x2x2]) -> float32[1x3x2x2]
    DeformConv{offset_group=2, pads=[1,1,1,1]}(float32[1x2x3x3], float32[3x2x2x2], float32[1x16x4x4], float32[3], \
      float32[1x8x4x4]) -> float32[1x3x4x4]
    DeformConvGradient(float32[1x3x2x2], float32[1x2x3x3], float32[3x2x2x2], float32[1x8x2x2]) \
      -> float32[1x2x3x3], float32[3x2x2x2], float32[1x8x2x2]
    DeformConvGradient(float32[1x3x2x2], float32[1x2x3x3], float32[3x2x2x2], float32[1x8x2x2], float32[1x4x2x2]) \
      -> float32[1x2x3x3], float32[3x2x2x2], float32[1x8x2x2], float32[1x4x2x2]
    DeformConvGradient(float32[1x3x3x2], float32[1x2x3x3], float32[3x2x2x2], float32[1x8x2x2]) !! not the shape of the
    DeformConv(float32[1x2x3], float32[3x2x2], float32[1x4x2]) !! images N,C,H,W are needed
    DeformConv(float32[1x2x3x3], float32[3x1x2x2], float32[1x8x2x2]) !! channels and groups do not fit
    DeformConv(float32[1x2x3x3], float32[3x2x2x2], float32[1x4x2x2]) !! two offsets and one factor
    DeformConv(float32[1x2x3x3], float32[3x2x2x2], float32[1x8x2x2], float32[2]) !! one bias for each output channel

    ConvTranspose(float32[1x1x3x3], float32[1x2x3x3]) -> float32[1x2x5x5]
    ConvTranspose{group=2, strides=[3], output_padding=[1]}(float32[1x4x3], float32[4x2x3]) -> float32[1x4x10]
    ConvTranspose{group=2}(float32[1x4x3], float32[4x2x3], float32[3]) !! one bias for each output channel is needed
    ConvTranspose{auto_pad="SAME_UPPER", strides=[2,2]}(float32[1x1x3x3], float32[1x2x3x3]) -> float32[1x2x6x6]
    ConvTranspose{output_shape=[10], strides=[3]}(float32[1x1x3], float32[1x2x3]) -> float32[1x2x10]
    ConvTranspose{pads=[4,4]}(float32[1x1x3], float32[1x2x3]) !! out of range: result=-3
    ConvTranspose(float32[1x2x3], float32[1x2x3]) !! channels and groups do not fit
    ConvTranspose{strides=[0]}(float32[1x1x3], float32[1x2x3]) !! bad attribute: strides=[0]
    ConvWeightGradient{kernel_shape=[3,3]}(float32[2x3x8x8], float32[2x6x6x6]) -> float32[6x3x3x3]
    ConvWeightGradient{kernel_shape=[3], group=2, pads=[1,0]}(float16[2x4x9], float16[2x6x8]) -> float16[6x2x3]
    ConvWeightGradient{kernel_shape=[3,3]}(float32[2x3x8x8], float32[2x6x8x8]) !! is not of the convolution's result
    ConvWeightGradient{kernel_shape=[3,3]}(float32[2x3x8x8], float32[1x6x6x6]) !! wanted=2x6x6x6
    ConvWeightGradient{kernel_shape=[3], group=2}(float32[2x3x9], float32[2x6x7]) !! channels and groups do not fit
    ConvWeightGradient(float32[2x3x9], float32[2x6x7]) !! kernel_shape
    Col2Im(float32[1x5x5], int64:[5,5], int64:[1,5]) -> float32[1x1x5x5]
    Col2Im(float32[1x5x4], int64:[5,5], int64:[1,5]) !! columns do not fit image and block
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
