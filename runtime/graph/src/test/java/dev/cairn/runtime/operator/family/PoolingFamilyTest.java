package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class PoolingFamilyTest {
  static final String CASES = """
    MaxPool{kernel_shape=[2,2], strides=[2,2]}(float32[1x3x8x8]) -> float32[1x3x4x4]
    MaxPool{kernel_shape=[2,2], strides=[2,2]}(float32[1x3x8x8]) -> float32[1x3x4x4], int64[1x3x4x4]
    MaxPool{kernel_shape=[3,3], strides=[2,2], ceil_mode=1}(uint8[1x1x4x4]) -> uint8[1x1x2x2]
    MaxPool{kernel_shape=[3,3], strides=[2,2], pads=[1,1,1,1]}(float32[1x64x112x112]) -> float32[1x64x56x56]
    MaxPool{kernel_shape=[2]}(float32[1x1x5]) -> float32[1x1x4]
    MaxPool(float32[1x3x8x8]) !! the window's size is missing
    MaxPool{kernel_shape=[2]}(float32[1x3x8x8]) !! kernel_shape
    MaxPool{kernel_shape=[9,9]}(float32[1x3x8x8]) !! window is larger
    MaxPool{kernel_shape=[2,2]}(int32[1x3x8x8]) !! dtype=int32
    MaxPool{kernel_shape=[2,2]}(float32[1x3x8x8]) !!3 wrong number of results: wanted=3 given=2
    AveragePool{kernel_shape=[3,3], auto_pad="SAME_LOWER"}(float32[1x3x8x8]) -> float32[1x3x8x8]
    AveragePool{kernel_shape=[2,2], count_include_pad=1}(float32[1x3x0x8]) !! window is larger
    AveragePool{kernel_shape=[2,2], auto_pad="SOME"}(float32[1x3x8x8]) !! auto_pad=SOME
    AveragePool{kernel_shape=[2]}(float32[3x8]) !! spatial axis
    AveragePool{kernel_shape=[2,2]}(uint8[1x3x8x8]) !! dtype=uint8
    AveragePoolGradient{kernel_shape=[2,2], output_shape=[8,9]}(float32[2x3x7x8]) -> float32[2x3x8x9]
    AveragePoolGradient{kernel_shape=[2,2], output_shape=[8]}(float32[2x3x7x8]) !! one spatial extent for each axis
    AveragePoolGradient{kernel_shape=[2,2], output_shape=[9,9]}(float32[2x3x7x8]) !! wanted=2x3x8x8
    MaxPoolGradient{kernel_shape=[3], strides=[2]}(float32[1x3x8], float32[1x3x3], float32[1x3x3]) -> float32[1x3x8]
    MaxPoolGradient{kernel_shape=[3], strides=[2]}(float32[1x3x8], float32[1x3x3], float32[1x3x4]) !! \
    input=2 shape=1x3x4
    MaxPoolGradient{kernel_shape=[3]}(int8[1x3x8], int8[1x3x6], int8[1x3x6]) !! dtype=int8
    GlobalAveragePool(float32[2x3x7x7]) -> float32[2x3x1x1]
    GlobalAveragePool(float32[2x3]) !! a spatial axis is needed after N and C: input=2x3
    GlobalMaxPool(float64[2x3x4]) -> float64[2x3x1]
    GlobalMaxPool(int32[2x3x4]) !! dtype=int32

    GlobalLpPool(float32[1x3x5x5]) -> float32[1x3x1x1]
    GlobalLpPool{p=0}(float32[1x3x5x5]) !! the order of a norm is at least 1: p=0
    LpPool{kernel_shape=[2,2], strides=[2,2]}(float32[1x3x5x4]) -> float32[1x3x2x2]
    LpPool(float32[1x3x5x4]) !! the window's size is missing
    MaxpoolWithMask{kernel_shape=[3], pads=[1,1]}(float32[2x3x8], int32[1x1x8]) -> float32[2x3x8]
    MaxpoolWithMask{kernel_shape=[3]}(float32[2x3x8], int32[2x3x8]) !! one mask for all channels is needed
    MaxpoolWithMask{kernel_shape=[3]}(float32[2x3x8], int64[1x1x8]) !! one mask for all channels is needed
    MaxpoolWithMask(float32[2x3x8], int32[1x1x8]) !! the window's size is missing
    MaxUnpool{kernel_shape=[2,2], strides=[2,2]}(float32[1x1x2x2], int64[1x1x2x2]) -> float32[1x1x4x4]
    MaxUnpool{kernel_shape=[2,2], strides=[2,2]}(float32[1x1x2x2], int64[1x1x2x2], int64:[1,1,5,5]) -> float32[1x1x5x5]
    MaxUnpool{kernel_shape=[2,2], strides=[2,2]}(float32[1x1x2x2], int64[1x1x2x2], int64:[1,1,3,5]) !! is smaller
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
