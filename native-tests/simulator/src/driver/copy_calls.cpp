// The copies of the API: each names its two kinds of memory, or leaves it to the addresses.
#include "copy.h"
#include "current.h"
#include "entry.h"
#include "registry.h"

using namespace sim;

constexpr CUmemorytype HOST = CU_MEMORYTYPE_HOST;
constexpr CUmemorytype DEVICE = CU_MEMORYTYPE_DEVICE;
constexpr CUmemorytype ANY = CU_MEMORYTYPE_UNIFIED;

static void* at(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

static CUresult synchronous(const char* name, const CUDA_MEMCPY3D& shape) {
  return entry(name, kWell | kOutsideCapture, [&] { copy(streamOf(nullptr), shape, true); });
}

static CUresult inStream(const char* name, const CUDA_MEMCPY3D& shape, CUstream stream) {
  return entry(name, kWell, [&] { copy(streamOf(stream), shape, false); });
}

SIM_EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t bytes) {
  return synchronous("cuMemcpyHtoD", linearCopy(DEVICE, at(to), HOST, from, bytes));
}

SIM_EXPORT CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t bytes) {
  return synchronous("cuMemcpyDtoH", linearCopy(HOST, to, DEVICE, at(from), bytes));
}

SIM_EXPORT CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return synchronous("cuMemcpyDtoD", linearCopy(DEVICE, at(to), DEVICE, at(from), bytes));
}

SIM_EXPORT CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return synchronous("cuMemcpy", linearCopy(ANY, at(to), ANY, at(from), bytes));
}

SIM_EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return inStream("cuMemcpyHtoDAsync", linearCopy(DEVICE, at(to), HOST, from, bytes), stream);
}

SIM_EXPORT CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return inStream("cuMemcpyDtoHAsync", linearCopy(HOST, to, DEVICE, at(from), bytes), stream);
}

SIM_EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return inStream("cuMemcpyDtoDAsync", linearCopy(DEVICE, at(to), DEVICE, at(from), bytes), stream);
}

SIM_EXPORT CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return inStream("cuMemcpyAsync", linearCopy(ANY, at(to), ANY, at(from), bytes), stream);
}

static void requireContexts(CUcontext one, CUcontext other) {
  require(registry().contexts.find(one) && registry().contexts.find(other), CUDA_ERROR_INVALID_CONTEXT);
}

SIM_EXPORT CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext,
                                 size_t bytes) {
  return entry("cuMemcpyPeer", kWell | kOutsideCapture, [&] {
    requireContexts(toContext, fromContext);
    copy(streamOf(nullptr), linearCopy(DEVICE, at(to), DEVICE, at(from), bytes), true);
  });
}

SIM_EXPORT CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext,
                                      size_t bytes, CUstream stream) {
  return entry("cuMemcpyPeerAsync", kWell, [&] {
    requireContexts(toContext, fromContext);
    copy(streamOf(stream), linearCopy(DEVICE, at(to), DEVICE, at(from), bytes), false);
  });
}

SIM_EXPORT CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* shape) { return synchronous("cuMemcpy2D", flatCopy(*shape)); }

SIM_EXPORT CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* shape) {
  return synchronous("cuMemcpy2DUnaligned", flatCopy(*shape));
}

SIM_EXPORT CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* shape, CUstream stream) {
  return inStream("cuMemcpy2DAsync", flatCopy(*shape), stream);
}

SIM_EXPORT CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* shape) { return synchronous("cuMemcpy3D", *shape); }

SIM_EXPORT CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* shape, CUstream stream) {
  return inStream("cuMemcpy3DAsync", *shape, stream);
}
