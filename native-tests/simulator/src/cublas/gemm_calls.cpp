// The exported products of matrices.
#include "cublas/gemm_request.h"

using namespace sim;

namespace {

constexpr ElementType kF32 = ElementType::Float32, kF64 = ElementType::Float64, kF16 = ElementType::Float16;

Operand matrix(const void* base, ElementType type, long long leading, long long stride = 0) {
  return {base, type, leading, stride, false};
}
Operand matrices(const void* bases, ElementType type, long long leading) { return {bases, type, leading, 0, true}; }

GemmProblem problem(long long m, long long n, long long k, const Operand& a, const Operand& b, const Operand& c,
                    ComputeType compute, long long batch = 1) {
  GemmProblem p;
  p.m = m;
  p.n = n;
  p.k = k;
  p.batch = batch;
  p.a = a;
  p.b = b;
  p.c = c;
  p.compute = compute;
  return p;
}

CublasStatus queue(CublasHandle* handle, const char* name, int opA, int opB, GemmProblem p, const void* alpha,
                   const void* beta) {
  if (!isHandle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  ElementType scalarType;
  if (!resolveTypes(p, handle->mathMode, scalarType)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return queueGemm({handle, name, opA, opB, p, alpha, beta, scalarType});
}

}  // namespace

#define GEMM_OF(letter, T, type, compute) \
  CUBLAS_API CublasStatus cublas##letter(CublasHandle* handle, int opA, int opB, int m, int n, int k, const T* alpha, \
                                         const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc) { \
    return queue(handle, "cublas" #letter, opA, opB, \
                 problem(m, n, k, matrix(A, type, lda), matrix(B, type, ldb), matrix(C, type, ldc), compute), alpha, \
                 beta); \
  }
#define BATCHED_GEMM_OF(letter, T, type, compute) \
  CUBLAS_API CublasStatus cublas##letter##StridedBatched( \
      CublasHandle* handle, int opA, int opB, int m, int n, int k, const T* alpha, const T* A, int lda, \
      long long strideA, const T* B, int ldb, long long strideB, const T* beta, T* C, int ldc, long long strideC, \
      int batch) { \
    return queue(handle, "cublas" #letter "StridedBatched", opA, opB, \
                 problem(m, n, k, matrix(A, type, lda, strideA), matrix(B, type, ldb, strideB), \
                         matrix(C, type, ldc, strideC), compute, batch), \
                 alpha, beta); \
  } \
  CUBLAS_API CublasStatus cublas##letter##Batched( \
      CublasHandle* handle, int opA, int opB, int m, int n, int k, const T* alpha, const T* const* A, int lda, \
      const T* const* B, int ldb, const T* beta, T* const* C, int ldc, int batch) { \
    return queue(handle, "cublas" #letter "Batched", opA, opB, \
                 problem(m, n, k, matrices(A, type, lda), matrices(B, type, ldb), matrices(C, type, ldc), compute, \
                         batch), \
                 alpha, beta); \
  }

GEMM_OF(Sgemm_v2, float, kF32, ComputeType::F32)
GEMM_OF(Dgemm_v2, double, kF64, ComputeType::F64)
GEMM_OF(Hgemm, uint16_t, kF16, ComputeType::F16)
BATCHED_GEMM_OF(Sgemm, float, kF32, ComputeType::F32)
BATCHED_GEMM_OF(Dgemm, double, kF64, ComputeType::F64)
BATCHED_GEMM_OF(Hgemm, uint16_t, kF16, ComputeType::F16)

CUBLAS_API CublasStatus cublasGemmEx(CublasHandle* handle, int opA, int opB, int m, int n, int k, const void* alpha,
                                     const void* A, ElementType typeA, int lda, const void* B, ElementType typeB,
                                     int ldb, const void* beta, void* C, ElementType typeC, int ldc,
                                     ComputeType compute, int) {
  return queue(handle, "cublasGemmEx", opA, opB,
               problem(m, n, k, matrix(A, typeA, lda), matrix(B, typeB, ldb), matrix(C, typeC, ldc), compute), alpha,
               beta);
}

CUBLAS_API CublasStatus cublasGemmStridedBatchedEx(CublasHandle* handle, int opA, int opB, int m, int n, int k,
                                                   const void* alpha, const void* A, ElementType typeA, int lda,
                                                   long long strideA, const void* B, ElementType typeB, int ldb,
                                                   long long strideB, const void* beta, void* C, ElementType typeC,
                                                   int ldc, long long strideC, int batch, ComputeType compute, int) {
  return queue(handle, "cublasGemmStridedBatchedEx", opA, opB,
               problem(m, n, k, matrix(A, typeA, lda, strideA), matrix(B, typeB, ldb, strideB),
                       matrix(C, typeC, ldc, strideC), compute, batch),
               alpha, beta);
}

CUBLAS_API CublasStatus cublasGemmBatchedEx(CublasHandle* handle, int opA, int opB, int m, int n, int k,
                                            const void* alpha, const void* const* A, ElementType typeA, int lda,
                                            const void* const* B, ElementType typeB, int ldb, const void* beta,
                                            void* const* C, ElementType typeC, int ldc, int batch, ComputeType compute,
                                            int) {
  return queue(handle, "cublasGemmBatchedEx", opA, opB,
               problem(m, n, k, matrices(A, typeA, lda), matrices(B, typeB, ldb), matrices(C, typeC, ldc), compute,
                       batch),
               alpha, beta);
}

CUBLAS_API CublasStatus cublasSgemmEx(CublasHandle* handle, int opA, int opB, int m, int n, int k, const float* alpha,
                                      const void* A, ElementType typeA, int lda, const void* B, ElementType typeB,
                                      int ldb, const float* beta, void* C, ElementType typeC, int ldc) {
  return queue(handle, "cublasSgemmEx", opA, opB,
               problem(m, n, k, matrix(A, typeA, lda), matrix(B, typeB, ldb), matrix(C, typeC, ldc), ComputeType::F32),
               alpha, beta);
}
