package dev.cairn.runtime.operator.family;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class MatmulFamilyTest {
  static final String CASES = """
    MatMul(float32[2x3], float32[3x4]) -> float32[2x4]
    MatMul(float32[3], float32[3]) -> float32[scalar]
    MatMul(float32[3], float32[3x4]) -> float32[4]
    MatMul(float32[2x3], float32[3]) -> float32[2]
    MatMul(float32[5x2x3], float32[3x4]) -> float32[5x2x4]
    MatMul(float32[3], float32[6x3x4]) -> float32[6x4]
    MatMul(float32[6x2x3], float32[3]) -> float32[6x2]
    MatMul(float32[5x1x2x3], float32[6x3x4]) -> float32[5x6x2x4]
    MatMul(float32[2x0], float32[0x4]) -> float32[2x4]
    MatMul(int64[0x3], int64[3x4]) -> int64[0x4]
    MatMul(float32[2x3], float32[4x5]) !! MatMul(float32[2x3], float32[4x5]): inner extents differ: left=3 right=4
    MatMul(float32[3], float32[4]) !! inner extents differ
    MatMul(float32[scalar], float32[3]) !! a scalar is not a matrix: left=scalar right=3
    MatMul(float32[2x2x3], float32[3x3x4]) !! shapes do not broadcast: left=2 right=3
    MatMul(float32[2x3], float64[3x4]) !! element types differ
    MatMul(int8[2x3], int8[3x4]) !! dtype=int8
    Gemm(float32[2x3], float32[3x4]) -> float32[2x4]
    Gemm(float32[2x3], float32[3x4], float32[4]) -> float32[2x4]
    Gemm(float32[2x3], float32[3x4], float32[2x1]) -> float32[2x4]
    Gemm(float32[2x3], float32[3x4], float32[scalar]) -> float32[2x4]
    Gemm{transA=1}(float32[3x2], float32[3x4]) -> float32[2x4]
    Gemm{transB=1, alpha=0.5}(float32[2x3], float32[4x3]) -> float32[2x4]
    Gemm{transA=1, transB=1}(float16[3x2], float16[4x3], _) -> float16[2x4]
    Gemm{transB=1}(float32[2x3], float32[3x4]) !! inner extents differ: left=3 right=4
    Gemm(float32[2x3], float32[3x4], float32[3]) !! shapes do not broadcast
    Gemm(float32[1x3], float32[3x4], float32[2x4]) !! C cannot be broadcast to the product: c=2x4 product=1x4
    Gemm(float32[2x3], float32[3x4], float32[1x2x4]) !! C cannot be broadcast
    Gemm(float32[1x2x3], float32[3x4]) !! not matrices
    Gemm(float32[2x3], float32[3x4], float64[4]) !! element types differ

    Det(float32[2x3x3]) -> float32[2]
    Det(float32[3x3]) -> float32[scalar]
    DetGradient(float16[2x3x3], float16[2]) -> float16[2x3x3]
    DetGradient(float32[2x3x3], float32[3]) !! not the shape of the result: input=1 shape=3 wanted=2
    Det(float32[2x3]) !! square matrices are needed: input=2x3
    Inverse(float32[2x3x3]) -> float32[2x3x3]
    Inverse(float64[0x0]) -> float64[0x0]
    Inverse(float32[2x3]) !! square matrices are needed: input=2x3
    Inverse(int32[2x2]) !! unsupported element type: input=0 dtype=int32
    Einsum{equation="ij,jk->ik"}(float32[2x3], float32[3x4]) -> float32[2x4]
    Einsum{equation=" b i j , b j k "}(float32[2x3x4], float32[2x4x5]) -> float32[3x5]
    Einsum{equation="...ij,...jk->...ik"}(float32[7x1x2x3], float32[6x3x4]) -> float32[7x6x2x4]
    Einsum{equation="...ii->...i"}(int32[2x3x3]) -> int32[2x3]
    Einsum{equation="i->"}(float32[0]) -> float32[scalar]
    Einsum{equation="ij,jk->ik"}(float32[2x3], float32[4x4]) !! extents of one letter differ: term=jk
    Einsum{equation="ij->ijk"}(float32[2x3]) !! the result names a letter twice, or one that no term has
    Einsum{equation="ijk"}(float32[2x3]) !! a term names other axes than its operand has: term=ijk
    Einsum{equation="ij"}(float32[2x3], float32[2x3]) !! one term for each operand is needed
    Einsum{equation="i1"}(float32[2x3]) !! not a letter: term=i1 at=1
    """;

  @TestFactory
  Stream<DynamicTest> rules() {
    return TypeRuleCase.tests(CASES);
  }
}
