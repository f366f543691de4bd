package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class QuantizedFamilyTest {
  static final String CASES = """
    QuantizeLinear(float32[2x3], float32[scalar]) -> uint8[2x3]
    QuantizeLinear(float32[2x3], float32[3], int8[3]) -> int8[2x3]
    QuantizeLinear{axis=0}(float16[2x3], float16[2], uint16[2]) -> uint16[2x3]
    QuantizeLinear{output_dtype="int16"}(int32[2x3], float32[1]) -> int16[2x3]
    QuantizeLinear{axis=1, block_size=2}(float32[2x5x4], float32[2x3x4]) -> uint8[2x5x4]
    QuantizeLinear(float32[2x3], float32[3], int4[3]) -> int4[2x3]
    QuantizeLinear{output_dtype="float8e5m2"}(float32[2x3], float32[1]) -> float8e5m2[2x3]
    QuantizeLinear{output_dtype="float8e8m0"}(float32[2x3], float32[1]) !! unsupported quantised type: dtype=float8e8m0
    QuantizeLinear(float8e5m2[2x3], float32[1]) !! unsupported element type: input=0 dtype=float8e5m2
    DequantizeLinear{block_size=2}(uint2[2x5], float16[2x3], uint2[2x3]) -> float16[2x5]
    DequantizeLinear{block_size=2, output_dtype="float32"}(float4e2m1[2x4], float8e8m0[2x2]) -> float32[2x4]
    DequantizeLinear{block_size=2}(float4e2m1[2x4], float8e8m0[2x2]) !! unsupported result type: output_dtype=float8e8m0
    QuantizeLinear(float32[2x3], float32[2]) !! scales do not fit: tensor=2x3 scales=2 axis=1 block_size=0
    QuantizeLinear(float32[2x3], float32[3], int8[2]) !! one zero point for each scale is needed
    QuantizeLinear{output_dtype="int32"}(float32[2x3], float32[3]) !! unsupported quantised type: dtype=int32
    QuantizeLinear{output_dtype="int8"}(float32[2], float32[1], uint8[1]) !! unsupported quantised type: dtype=uint8
    QuantizeLinear{axis=2}(float32[2x3], float32[3]) !! axis
    DequantizeLinear(uint8[2x3], float32[scalar], uint8[scalar]) -> float32[2x3]
    DequantizeLinear(int32[2x3], float16[3]) -> float16[2x3]
    DequantizeLinear{output_dtype="bfloat16"}(int8[2x3], float32[1]) -> bfloat16[2x3]
    DequantizeLinear{axis=0, block_size=2}(int16[5], float32[3]) -> float32[5]
    DequantizeLinear{block_size=2}(uint8[2x5], float32[2x2]) !! scales do not fit: tensor=2x5 scales=2x2 axis=1
    DequantizeLinear(uint8[2x3], float32[3], int8[3]) !! element types differ: input0=uint8 input2=int8
    DynamicQuantizeLinear(float32[2x3]) -> uint8[2x3], float32[scalar], uint8[scalar]
    DynamicQuantizeLinear(float16[2x3]) !! dtype=float16
    MatMulInteger(uint8[2x3], int8[3x4]) -> int32[2x4]
    MatMulInteger(int8[5x2x3], uint8[3x4], int8[2], uint8[4]) -> int32[5x2x4]
    MatMulInteger(uint8[2x3], int8[3x4], uint8[3]) !! wrong number of scales or zero points
    MatMulInteger(uint8[2x3], int8[3x4], int8[1]) !! element types differ
    MatMulInteger(int32[2x3], int8[3x4]) !! dtype=int32
    MatMulIntegerToFloat(uint8[2x3], int8[3x4], float32[1], float32[4]) -> float32[2x4]
    MatMulIntegerToFloat(uint8[2x3], int8[3x4], float32[1], float32[1], uint8[1], int8[4], float32[4]) -> float32[2x4]
    MatMulIntegerToFloat(uint8[2x3], int8[3x4], float32[1], float32[4], _, _, float32[2]) !! one bias for each column
    MatMulNBits{K=40, N=5, block_size=16}(float32[2x3x40], uint8[5x3x8], float32[15], uint8[10]) -> float32[2x3x5]
    MatMulNBits{K=40, N=5, bits=8, block_size=32}(float16[40], uint8[5x2x32], float16[5x2], float16[5x2], _, \
    float16[5]) -> float16[5]
    MatMulNBits{K=40, N=5, block_size=16}(float32[40], uint8[5x3x8], float32[5x3], uint8[5]) !! one zero point
    MatMulNBits{K=40, N=5, block_size=16}(float32[39], uint8[5x3x8], float32[5x3]) !! the operands do not fit
    MatMulNBits{K=40, N=5, block_size=16}(float32[40], uint8[5x3x8], float32[5x3], _, _, float32[4]) !! one bias
    MatMulNBits{K=40, N=5, block_size=16}(float32[40], uint8[5x3x8], float32[5x3], _, int32[40]) !! an order of groups
    MatMulNBits{K=40, N=5, bits=3, block_size=16}(float32[40], uint8[5x3x6], float32[5x3]) !! no such weights
    QLinearMatMul(uint8[2x3], float32[1], uint8[1], int8[3x4], float32[4], int8[4], float32[1], int8[1]) -> int8[2x4]
    QLinearMatMul(uint8[2x3], float32[1], uint8[1], int8[3x4], float32[3], int8[4], float32[1], int8[1]) !! wrong number
    QLinearMatMul(uint8[2x3], float32[1], uint8[1], int8[3x4], float32[4], int8[1], float32[1], int8[1], int32[4]) \
    -> int8[2x4]
    QLinearMatMul(uint8[2x3], float32[1], uint8[1], int8[3x4], float32[4], int8[1], float32[1], int8[1], int32[2]) \
    !! one bias for each column
    ConvInteger(uint8[1x2x5x5], int8[4x2x3x3]) -> int32[1x4x3x3]
    ConvInteger{pads=[1,1,1,1]}(uint8[1x2x5x5], uint8[4x2x3x3], uint8[1], uint8[4]) -> int32[1x4x5x5]
    ConvInteger(uint8[1x3x5x5], int8[4x2x3x3]) !! channels and groups do not fit
    QLinearConv(int8[1x2x5], float32[1], int8[1], int8[4x2x3], float32[4], int8[4], float32[1], uint8[1]) \
    -> uint8[1x4x3]
    QLinearConv(int8[1x2x5], float32[1], int8[1], int8[4x2x3], float32[1], int8[1], float32[1], uint8[1], int32[4]) \
    -> uint8[1x4x3]
    QLinearConv(int8[1x2x5], float32[1], int8[1], int8[4x2x3], float32[1], int8[1], float32[1], uint8[1], int8[4]) \
    !! a bias is int32: dtype=int8
    QLinearConv(int8[1x2x5], float32[1], int8[1], int8[4x2x3], float32[2], int8[1], float32[1], uint8[1]) !! wrong
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
