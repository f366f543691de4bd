// From a call's arguments to a product in the handle's stream: checks them as cuBLAS does, and queues the work.
#pragma once
#include "cublas/gemm.h"
#include "cublas/handle.h"

namespace sim {

struct GemmRequest {
  CublasHandle* handle;
  const char* name;
  int opA, opB;  // cublasOperation_t: 0 as it is, 1 transposed, 2 conjugated and transposed
  GemmProblem problem;
  const void* alpha;
  const void* beta;
  ElementType scalarType;
};

CublasStatus queueGemm(const GemmRequest& request);

// The rules of GemmEx: which types go together, and how factors are given. False: cuBLAS has no such product.
bool resolveTypes(GemmProblem& problem, int mathMode, ElementType& scalarType);

}  // namespace sim
