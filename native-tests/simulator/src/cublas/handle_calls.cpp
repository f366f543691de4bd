// Handles: their life, stream, modes and workspace.
#include <new>

#include "cublas/handle.h"
#include "driver/enqueue.h"

using namespace sim;

SIM_EXPORT CUresult cuCtxGetCurrent(CUcontext* context);

namespace {

constexpr size_t kWorkspaceAlignment = 256;
constexpr int kVersion = 120600;

template <class T>
CublasStatus get(const CublasHandle* handle, T value, T* target) {
  if (!isHandle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (target == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *target = value;
  return CUBLAS_STATUS_SUCCESS;
}

CublasStatus set(CublasHandle* handle, int CublasHandle::* field, int value, bool allowed) {
  if (!isHandle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!allowed) return CUBLAS_STATUS_INVALID_VALUE;
  handle->*field = value;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

CUBLAS_API CublasStatus cublasCreate_v2(CublasHandle** handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  CUcontext context = nullptr;
  if (cuCtxGetCurrent(&context) != CUDA_SUCCESS || context == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new (std::nothrow) CublasHandle{kHandleMagic, nullptr, 0, 0, MATH_DEFAULT, 0, nullptr, 0};
  return *handle == nullptr ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_SUCCESS;
}

CUBLAS_API CublasStatus cublasDestroy_v2(CublasHandle* handle) {
  if (!isHandle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->magic = 0;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

CUBLAS_API CublasStatus cublasGetVersion_v2(CublasHandle*, int* version) {
  if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *version = kVersion;
  return CUBLAS_STATUS_SUCCESS;
}

CUBLAS_API CublasStatus cublasGetProperty(int property, int* value) {
  if (value == nullptr || property < 0 || property > 2) return CUBLAS_STATUS_INVALID_VALUE;
  *value = property == 0 ? 12 : property == 1 ? 6 : 0;
  return CUBLAS_STATUS_SUCCESS;
}

CUBLAS_API CublasStatus cublasSetStream_v2(CublasHandle* handle, CUstream stream) {
  if (!isHandle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  handle->workspace = nullptr;  // as cuBLAS: its own comes back
  handle->workspaceBytes = 0;
  return CUBLAS_STATUS_SUCCESS;
}
CUBLAS_API CublasStatus cublasGetStream_v2(CublasHandle* handle, CUstream* stream) {
  return get(handle, isHandle(handle) ? handle->stream : nullptr, stream);
}

// The simulator needs no workspace, but wants one that a device would take, and every product writes to it.
CUBLAS_API CublasStatus cublasSetWorkspace_v2(CublasHandle* handle, void* workspace, size_t bytes) {
  if (!isHandle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool aligned = reinterpret_cast<uintptr_t>(workspace) % kWorkspaceAlignment == 0;
  const bool usable = bytes == 0 || cairn_sim_reachable(workspace, bytes) != 0;
  if (!aligned || !usable) return CUBLAS_STATUS_INVALID_VALUE;
  handle->workspace = workspace;
  handle->workspaceBytes = bytes;
  return CUBLAS_STATUS_SUCCESS;
}

CUBLAS_API CublasStatus cublasSetPointerMode_v2(CublasHandle* handle, int mode) {
  return set(handle, &CublasHandle::pointerMode, mode, mode == 0 || mode == kPointersOnDevice);
}
CUBLAS_API CublasStatus cublasGetPointerMode_v2(CublasHandle* handle, int* mode) {
  return get(handle, isHandle(handle) ? handle->pointerMode : 0, mode);
}
CUBLAS_API CublasStatus cublasSetAtomicsMode(CublasHandle* handle, int mode) {
  return set(handle, &CublasHandle::atomicsMode, mode, mode == 0 || mode == 1);
}
CUBLAS_API CublasStatus cublasGetAtomicsMode(CublasHandle* handle, int* mode) {
  return get(handle, isHandle(handle) ? handle->atomicsMode : 0, mode);
}
CUBLAS_API CublasStatus cublasSetMathMode(CublasHandle* handle, int mode) {
  return set(handle, &CublasHandle::mathMode, mode, (mode & 15) <= MATH_TF32);
}
CUBLAS_API CublasStatus cublasGetMathMode(CublasHandle* handle, int* mode) {
  return get(handle, isHandle(handle) ? handle->mathMode : 0, mode);
}
CUBLAS_API CublasStatus cublasSetSmCountTarget(CublasHandle* handle, int count) {
  return set(handle, &CublasHandle::smCountTarget, count, count >= 0);
}
CUBLAS_API CublasStatus cublasGetSmCountTarget(CublasHandle* handle, int* count) {
  return get(handle, isHandle(handle) ? handle->smCountTarget : 0, count);
}

CUBLAS_API const char* cublasGetStatusName(CublasStatus status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR: return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_LICENSE_ERROR: return "CUBLAS_STATUS_LICENSE_ERROR";
  }
  return "cuBLAS unknown status";
}
CUBLAS_API const char* cublasGetStatusString(CublasStatus status) { return cublasGetStatusName(status); }
