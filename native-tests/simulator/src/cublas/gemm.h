// C = alpha op(A) op(B) + beta C, for one matrix or a batch, in column-major order as BLAS has it.
#pragma once
#include <memory>
#include <vector>

#include "cublas/elements.h"

namespace sim {

// Where the matrices of a batch lie: at a stride from the first, or each at an address read when the product runs.
struct Operand {
  const void* base = nullptr;
  ElementType type = ElementType::Float32;
  long long leading = 1;
  long long stride = 0;
  bool isArray = false;  // base is a device array of addresses

  const char* matrix(long long index) const;
};

// A factor: its value, known when the call was made, or an address on the device.
struct Scalar {
  const void* onDevice = nullptr;
  double value = 0;
  ElementType type = ElementType::Float32;

  double get() const { return onDevice == nullptr ? value : loadElement<double>(onDevice, type); }
};

struct GemmProblem {
  bool transposeA = false, transposeB = false;
  long long m = 0, n = 0, k = 0, batch = 1;
  Operand a, b, c;
  Scalar alpha, beta;
  ComputeType compute = ComputeType::F32;
  Precision precision = Precision::Full;
  void* workspace = nullptr;
  size_t workspaceBytes = 0;
};

// Answers a CUresult: 0, or 700 when a matrix is not memory of the device.
int runGemm(const GemmProblem& problem);

}  // namespace sim
