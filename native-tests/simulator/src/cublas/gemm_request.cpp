#include "cublas/gemm_request.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "driver/enqueue.h"

namespace sim {
namespace {

bool leadingFits(const Operand& operand, long long rows) { return operand.leading >= std::max(1ll, rows); }

bool valid(const GemmRequest& r) {
  const GemmProblem& p = r.problem;
  const bool shape = p.m >= 0 && p.n >= 0 && p.k >= 0 && p.batch >= 0;
  const bool operations = r.opA >= 0 && r.opA <= 2 && r.opB >= 0 && r.opB <= 2;
  const bool leading = leadingFits(p.a, r.opA != 0 ? p.k : p.m) && leadingFits(p.b, r.opB != 0 ? p.n : p.k) &&
                       leadingFits(p.c, p.m);
  return shape && operations && leading && r.alpha != nullptr && r.beta != nullptr;
}

Scalar scalar(const CublasHandle& handle, const void* given, ElementType type) {
  if (handle.pointerMode == kPointersOnDevice) return {given, 0, type};
  return {nullptr, loadElement<double>(given, type), type};
}

bool scalarsReachable(const GemmProblem& p) {
  for (const Scalar* one : {&p.alpha, &p.beta}) {
    if (one->onDevice != nullptr && cairn_sim_reachable(one->onDevice, elementBytes(one->type)) == 0) return false;
  }
  return true;
}

// A device may write anywhere in the workspace that it was told of: here at both of its ends.
void spoilWorkspace(const GemmProblem& p) {
  constexpr size_t kEnd = 64 << 10;
  auto* first = static_cast<unsigned char*>(p.workspace);
  const size_t bytes = std::min(p.workspaceBytes, kEnd);
  if (bytes == 0 || cairn_sim_reachable(first, p.workspaceBytes) == 0) return;
  std::memset(first, 0xff, bytes);
  std::memset(first + p.workspaceBytes - bytes, 0xff, bytes);
}

int run(void* data) {
  const auto& problem = *static_cast<GemmProblem*>(data);
  spoilWorkspace(problem);
  return scalarsReachable(problem) ? runGemm(problem) : 700;
}

void drop(void* data) { delete static_cast<GemmProblem*>(data); }

Precision precisionOf(const GemmProblem& p, int mathMode) {
  if (p.compute == ComputeType::F32Fast16) return Precision::Half;
  if (p.compute == ComputeType::F32FastB16) return Precision::BFloat;
  const bool tf32 = p.compute == ComputeType::F32FastTf32 ||
                    (p.compute == ComputeType::F32 && (mathMode & 15) == MATH_TF32);
  return tf32 && p.a.type == ElementType::Float32 ? Precision::Tf32 : Precision::Full;
}

}  // namespace

bool resolveTypes(GemmProblem& p, int mathMode, ElementType& scalarType) {
  const ElementType in = p.a.type, out = p.c.type;
  if (p.b.type != in) return false;
  bool known = false;
  switch (p.compute) {
    case ComputeType::F16:
    case ComputeType::F16Pedantic:
      known = in == ElementType::Float16 && out == ElementType::Float16;
      scalarType = ElementType::Float16;
      break;
    case ComputeType::F64:
    case ComputeType::F64Pedantic:
      known = in == ElementType::Float64 && out == ElementType::Float64;
      scalarType = ElementType::Float64;
      break;
    case ComputeType::I32:
    case ComputeType::I32Pedantic:
      known = in == ElementType::Int8 && out == ElementType::Int32;
      scalarType = ElementType::Int32;
      break;
    case ComputeType::F32:
    case ComputeType::F32Pedantic:
      known = (in == ElementType::BFloat16 && (out == in || out == ElementType::Float32)) ||
              (in == ElementType::Float16 && (out == in || out == ElementType::Float32)) ||
              ((in == ElementType::Int8 || in == ElementType::Float32) && out == ElementType::Float32);
      scalarType = ElementType::Float32;
      break;
    case ComputeType::F32Fast16:
    case ComputeType::F32FastB16:
    case ComputeType::F32FastTf32:
      known = in == ElementType::Float32 && out == ElementType::Float32;
      scalarType = ElementType::Float32;
      break;
  }
  p.precision = precisionOf(p, mathMode);
  return known;
}

CublasStatus queueGemm(const GemmRequest& request) {
  if (!isHandle(request.handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!valid(request)) return CUBLAS_STATUS_INVALID_VALUE;
  GemmProblem problem = request.problem;
  if (problem.m == 0 || problem.n == 0 || problem.batch == 0) return CUBLAS_STATUS_SUCCESS;
  if (problem.a.base == nullptr || problem.b.base == nullptr || problem.c.base == nullptr) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  problem.transposeA = request.opA != 0;
  problem.transposeB = request.opB != 0;
  problem.workspace = request.handle->workspace;
  problem.workspaceBytes = request.handle->workspaceBytes;
  problem.alpha = scalar(*request.handle, request.alpha, request.scalarType);
  problem.beta = scalar(*request.handle, request.beta, request.scalarType);
  auto* queued = new (std::nothrow) GemmProblem(problem);
  if (queued == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
  const CUresult result = cairn_sim_enqueue(request.handle->stream, request.name, run, queued, drop);
  return result == CUDA_SUCCESS ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

}  // namespace sim
