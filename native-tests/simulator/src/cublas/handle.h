// A cuBLAS handle and the codes that calls answer.
#pragma once
#include "driver/abi.h"

namespace sim {

enum CublasStatus {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
};

// cublasMath_t, without its flags.
enum MathMode { MATH_DEFAULT = 0, MATH_TENSOR_OP = 1, MATH_PEDANTIC = 2, MATH_TF32 = 3 };

struct CublasHandle {
  unsigned magic;
  CUstream stream;
  int pointerMode, atomicsMode, mathMode, smCountTarget;
  void* workspace;
  size_t workspaceBytes;
};

constexpr unsigned kHandleMagic = 0xcab1a5;

inline bool isHandle(const CublasHandle* handle) { return handle != nullptr && handle->magic == kHandleMagic; }

constexpr int kPointersOnDevice = 1;

}  // namespace sim

#define CUBLAS_API extern "C" __attribute__((visibility("default")))
