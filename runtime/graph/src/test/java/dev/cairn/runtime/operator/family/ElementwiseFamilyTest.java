package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class ElementwiseFamilyTest {
  static final String CASES = """
    Ceil(float32[2x3]) -> float32[2x3]
    Ceil(int32[2]) !! unsupported element type: input=0 dtype=int32
    Cos(float32[2x3]) -> float32[2x3]
    Cos(int32[2]) !! unsupported element type: input=0 dtype=int32
    Exp(float32[2x3]) -> float32[2x3]
    Exp(int32[2]) !! unsupported element type: input=0 dtype=int32
    Floor(float32[2x3]) -> float32[2x3]
    Floor(int32[2]) !! unsupported element type: input=0 dtype=int32
    Gelu(float32[2x3]) -> float32[2x3]
    Gelu(int32[2]) !! unsupported element type: input=0 dtype=int32
    HardSigmoid(float32[2x3]) -> float32[2x3]
    HardSigmoid(int32[2]) !! unsupported element type: input=0 dtype=int32
    HardSwish(float32[2x3]) -> float32[2x3]
    HardSwish(int32[2]) !! unsupported element type: input=0 dtype=int32
    LeakyRelu(float32[2x3]) -> float32[2x3]
    LeakyRelu(int32[2]) !! unsupported element type: input=0 dtype=int32
    Log(float32[2x3]) -> float32[2x3]
    Log(int32[2]) !! unsupported element type: input=0 dtype=int32
    Reciprocal(float32[2x3]) -> float32[2x3]
    Reciprocal(int32[2]) !! unsupported element type: input=0 dtype=int32
    Sigmoid(float32[2x3]) -> float32[2x3]
    Sigmoid(int32[2]) !! unsupported element type: input=0 dtype=int32
    Sin(float32[2x3]) -> float32[2x3]
    Sin(int32[2]) !! unsupported element type: input=0 dtype=int32
    Sqrt(float32[2x3]) -> float32[2x3]
    Sqrt(int32[2]) !! unsupported element type: input=0 dtype=int32
    Tanh(float32[2x3]) -> float32[2x3]
    Tanh(int32[2]) !! unsupported element type: input=0 dtype=int32
    Abs(uint8[4]) -> uint8[4]
    Abs(bool[4]) !! dtype=bool
    Erf(float16[scalar]) -> float16[scalar]
    Erf(bool[4]) !! dtype=bool
    Neg(int8[2x0]) -> int8[2x0]
    Neg(uint8[2]) !! dtype=uint8
    Not(bool[3]) -> bool[3]
    Not(float32[3]) !! dtype=float32
    Relu(bfloat16[1x2]) -> bfloat16[1x2]
    Relu(uint32[2]) !! dtype=uint32
    Relu() !! wrong number of inputs: operator=Relu inputs=0 least=1 most=1 missing=[0]
    Relu(_) !! missing=[0]
    Relu(float32[2], float32[2]) !! wrong number of inputs
    Relu(float32[2]) !!2 wrong number of results: wanted=2 given=1

    Add(float32[2x3], float32[3]) -> float32[2x3]
    Add(float32[2x1], float32[1x3]) -> float32[2x3]
    Add(int64[scalar], int64[4x1x2]) -> int64[4x1x2]
    Add(float32[0], float32[1]) -> float32[0]
    Add(float32[2x3], float32[4]) !! Add(float32[2x3], float32[4]): shapes do not broadcast: left=2x3 right=4
    Add(float32[0], float32[2]) !! shapes do not broadcast
    Add(float32[2], float64[2]) !! element types differ: input0=float32 input1=float64
    Add(int4[2], int4[2]) !! unsupported element type: input=0 dtype=int4
    Add(float8e5m2[2], float8e5m2[2]) !! unsupported element type: input=0 dtype=float8e5m2
    Add(bool[2], bool[2]) !! dtype=bool
    Add(float32[2]) !! missing=[1]
    Sub(uint16[2], uint16[2]) -> uint16[2]
    Sub(uint16[2], int16[2]) !! element types differ
    Mul(float16[5x1], float16[1x1x6]) -> float16[1x5x6]
    Mul(float16[5], float16[6]) !! do not broadcast
    Div(int32[2], int32[scalar]) -> int32[2]
    Div(bool[2], bool[2]) !! dtype=bool
    And(bool[2x1], bool[3]) -> bool[2x3]
    And(int32[2], int32[2]) !! dtype=int32
    Or(bool[scalar], bool[scalar]) -> bool[scalar]
    Or(bool[2], bool[3]) !! do not broadcast
    Pow(float32[2x2], int64[scalar]) -> float32[2x2]
    Pow(int32[2], float32[3x1]) -> int32[3x2]
    Pow(int8[2], int8[2]) !! dtype=int8
    Pow(float32[2], bool[2]) !! input=1 dtype=bool

    Equal(bool[2], bool[2x1]) -> bool[2x2]
    Equal(string[2], string[1]) -> bool[2]
    Equal(float8e5m2[2], float8e5m2[2]) !! unsupported element type: input=0 dtype=float8e5m2
    Equal(float32[3], int32[3]) !! element types differ
    Less(float32[2], float32[2]) -> bool[2]
    Less(bool[2], bool[2]) !! dtype=bool
    LessOrEqual(int64[2], int64[scalar]) -> bool[2]
    LessOrEqual(int64[2], int64[3]) !! do not broadcast
    Greater(uint8[1], uint8[4]) -> bool[4]
    Greater(uint8[2], int8[2]) !! element types differ
    GreaterOrEqual(float64[2], float64[2]) -> bool[2]
    GreaterOrEqual(bool[2], bool[2]) !! dtype=bool

    Max(int32[2]) -> int32[2]
    Max(float32[2x1], float32[3], float32[4x1x1]) -> float32[4x2x3]
    Max(float32[2], float64[2]) !! element types differ
    Max() !! wrong number of inputs: operator=Max inputs=0 least=1 most=any missing=[0]
    Min(uint64[2], uint64[scalar]) -> uint64[2]
    Min(float32[2], float32[2], float32[3]) !! do not broadcast
    Min(float32[2], _, float32[2]) !! wrong number of inputs
    Sum(float32[2], float32[1], float32[3x1]) -> float32[3x2]
    Sum(int32[2], int32[2]) !! dtype=int32

    Clip(float32[2x3]) -> float32[2x3]
    Clip(int8[2], int8[scalar], int8[1]) -> int8[2]
    Clip(float32[2], _, float32[scalar]) -> float32[2]
    Clip(float32[2], int32[scalar]) !! element types differ
    Clip(float32[2], float32[2]) !! not a scalar: input=1 shape=2
    Clip(float32[2], _, float32[1x1]) !! not a scalar: input=2 shape=1x1
    Cast{to="bool"}(float32[2x3]) -> bool[2x3]
    Cast{to="float32"}(bool[scalar]) -> float32[scalar]
    Cast(float32[2]) !! no such element type: to=""
    Cast{to="complex64"}(float32[2]) !! no such element type: to="complex64"
    Cast{to=1}(float32[2]) !! attribute of another kind
    Where(bool[2x1], float32[3], float32[scalar]) -> float32[2x3]
    Where(bool[3], bool[3], bool[1]) -> bool[3]
    Where(bool[3], string[3], string[1]) -> string[3]
    Where(float32[3], float32[3], float32[3]) !! input=0 dtype=float32
    Where(bool[3], float32[3], int32[3]) !! element types differ: input1=float32 input2=int32
    Where(bool[2], float32[3], float32[3]) !! do not broadcast

    Acos(float32[2x3]) -> float32[2x3]
    Acos(int32[2]) !! unsupported element type: input=0 dtype=int32
    Acosh(float32[2x3]) -> float32[2x3]
    Acosh(int32[2]) !! unsupported element type: input=0 dtype=int32
    Asin(float32[2x3]) -> float32[2x3]
    Asin(int32[2]) !! unsupported element type: input=0 dtype=int32
    Asinh(float32[2x3]) -> float32[2x3]
    Asinh(int32[2]) !! unsupported element type: input=0 dtype=int32
    Atan(float32[2x3]) -> float32[2x3]
    Atan(int32[2]) !! unsupported element type: input=0 dtype=int32
    Atanh(float32[2x3]) -> float32[2x3]
    Atanh(int32[2]) !! unsupported element type: input=0 dtype=int32
    Celu(float32[2x3]) -> float32[2x3]
    Celu(int32[2]) !! unsupported element type: input=0 dtype=int32
    Cosh(float32[2x3]) -> float32[2x3]
    Cosh(int32[2]) !! unsupported element type: input=0 dtype=int32
    Elu(float32[2x3]) -> float32[2x3]
    Elu(int32[2]) !! unsupported element type: input=0 dtype=int32
    Mish(float32[2x3]) -> float32[2x3]
    Mish(int32[2]) !! unsupported element type: input=0 dtype=int32
    Round(float32[2x3]) -> float32[2x3]
    Round(int32[2]) !! unsupported element type: input=0 dtype=int32
    Selu(float32[2x3]) -> float32[2x3]
    Selu(int32[2]) !! unsupported element type: input=0 dtype=int32
    Sinh(float32[2x3]) -> float32[2x3]
    Sinh(int32[2]) !! unsupported element type: input=0 dtype=int32
    Softplus(float32[2x3]) -> float32[2x3]
    Softplus(int32[2]) !! unsupported element type: input=0 dtype=int32
    Softsign(float32[2x3]) -> float32[2x3]
    Softsign(int32[2]) !! unsupported element type: input=0 dtype=int32
    Swish(float32[2x3]) -> float32[2x3]
    Swish(int32[2]) !! unsupported element type: input=0 dtype=int32
    Tan(float32[2x3]) -> float32[2x3]
    Tan(int32[2]) !! unsupported element type: input=0 dtype=int32
    ThresholdedRelu(float32[2x3]) -> float32[2x3]
    ThresholdedRelu(int32[2]) !! unsupported element type: input=0 dtype=int32
    IsInf(float32[2x3]) -> bool[2x3]
    IsInf(int32[2]) !! unsupported element type: input=0 dtype=int32
    IsNaN(float32[2x3]) -> bool[2x3]
    IsNaN(int32[2]) !! unsupported element type: input=0 dtype=int32
    Shrink(float16[2x0]) -> float16[2x0]
    Shrink(bool[2]) !! dtype=bool
    Sign(uint8[3]) -> uint8[3]
    Sign(bool[3]) !! dtype=bool
    BitwiseNot(int16[3]) -> int16[3]
    BitwiseNot(float32[3]) !! dtype=float32
    BitwiseAnd(uint8[2x1], uint8[3]) -> uint8[2x3]
    BitwiseAnd(bool[3], bool[3]) !! dtype=bool
    BitwiseOr(int64[scalar], int64[2]) -> int64[2]
    BitwiseOr(int64[3], int64[2]) !! do not broadcast
    BitwiseXor(int32[2], int32[2]) -> int32[2]
    BitwiseXor(int32[2], int64[2]) !! element types differ
    BitShift{direction="LEFT"}(uint8[2x1], uint8[3]) -> uint8[2x3]
    BitShift{direction="LEFT"}(int8[2], int8[2]) !! dtype=int8
    BitShift(uint8[2], uint8[2]) !! a shift needs a direction, LEFT or RIGHT: direction=""
    Mod(int32[2x1], int32[3]) -> int32[2x3]
    Mod{fmod=1}(float32[2], float32[2]) -> float32[2]
    Mod(float32[2], float32[2]) !! float types need fmod=1
    Xor(bool[2x1], bool[3]) -> bool[2x3]
    Xor(int32[2], int32[2]) !! dtype=int32
    Mean(float32[2x1], float32[3], float32[scalar]) -> float32[2x3]
    Mean(int32[2]) !! dtype=int32
    PRelu(float32[2x3], float32[3]) -> float32[2x3]
    PRelu(float32[3], float32[2x3]) !! the slope cannot be broadcast to the data: data=3 slope=2x3
    PRelu(int8[3], int8[3]) !! dtype=int8
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
