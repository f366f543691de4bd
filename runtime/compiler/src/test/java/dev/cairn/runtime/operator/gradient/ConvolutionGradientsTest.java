package dev.cairn.runtime.operator.gradient;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ConvolutionGradientsTest {
  @TestFactory
  Stream<DynamicTest> gradientsAreCentralDifferences() {
    return GradientDifferences.tests("""
      Conv([2x2x4x5], [3x2x2x3])
      Conv([1x2x4x4], [2x2x3x3], [2])
      Conv{strides=[2,3]}([1x2x6x7], [2x2x3x2])
      Conv{dilations=[2,1], pads=[1,0,2,1]}([1x1x4x4], [2x1x3x2], [2])
      Conv{group=2, strides=[2,2], pads=[0,1,1,0]}([2x4x5x4], [4x2x2x2])
      Conv{group=3, pads=[1,1,1,1]}([1x3x3x3], [3x1x3x3])
      Conv{auto_pad="SAME_UPPER", strides=[2,2]}([1x1x5x6], [1x1x3x2])
      Conv{auto_pad="SAME_LOWER"}([1x1x4x3], [2x1x2x2])
      Conv{auto_pad="VALID", strides=[3,2]}([1x1x5x5], [1x1x2x2])
      Conv{strides=[3], pads=[2,0]}([1x2x8], [2x2x2], [2])
      Conv{strides=[2,1,2], pads=[1,0,0,0,1,1]}([1x1x3x3x4], [2x1x2x2x2])
      Conv{strides=[4,4]}([1x1x6x7], [1x1x1x1])
      Conv([0x2x4x4], [3x2x2x2], [3])
      ConvTranspose([1x2x3x2], [2x3x2x3])
      ConvTranspose([1x2x3x2], [2x2x2x2], [2])
      ConvTranspose{strides=[2,3], pads=[1,0,0,2]}([1x1x3x3], [1x2x3x3], [2])
      ConvTranspose{strides=[2,2], output_padding=[1,1], dilations=[2,1]}([1x2x2x3], [2x1x2x2])
      ConvTranspose{dilations=[3,3], output_padding=[2,1]}([1x1x2x2], [1x1x2x2])
      ConvTranspose{group=2, strides=[2]}([2x4x3], [4x2x2], [4])
      ConvTranspose{auto_pad="SAME_UPPER", strides=[2,2]}([1x1x2x3], [1x2x3x3])
      ConvTranspose{output_shape=[7], strides=[2]}([1x1x3], [1x2x2])
      ConvTranspose{output_shape=[4], strides=[2]}([1x1x3], [1x2x3])
      ConvTranspose{strides=[1,2,2]}([1x1x2x2x2], [1x1x2x1x2])
      ConvWeightGradient{kernel_shape=[2,3], strides=[2,1], pads=[1,0,0,1], group=2}([2x2x4x4], [2x4x2x3])
      """);
  }

  @TestFactory
  Stream<DynamicTest> gradientsOfDeformedConvolutionsAreCentralDifferences() {
    return """
      DeformConv([1x2x4x5], [3x2x2x2], [1x8x3x4])
      DeformConv([2x2x3x3], [2x2x2x2], [2x8x2x2], [2], [2x4x2x2])
      DeformConv{pads=[1,0,1,1], strides=[2,1], dilations=[1,2]}([1x1x5x4], [2x1x3x2], [1x12x3x3], _, [1x6x3x3])
      DeformConv{group=2, offset_group=4}([1x4x3x3], [2x2x2x1], [1x16x2x3], [2])
      DeformConv{offset_group=2}([1x2x3x3], [1x2x2x2], [1x16x2x2], _, [1x8x2x2])
      DeformConv([0x2x3x3], [1x2x2x2], [0x8x2x2], [1])
      """.lines().map(String::strip).map(line -> DynamicTest.dynamicTest(line, () -> GradientDifferences.checkFirst(
      line)));
  }
}
