// Contexts and which of them is current.
#include "capture.h"
#include "current.h"
#include "device.h"
#include "entry.h"
#include "registry.h"
#include "settings.h"

using namespace sim;

SIM_EXPORT CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice ordinal) {
  return entry("cuCtxCreate", kInitialized, [&] {
    *context = Context::make(deviceOf(ordinal), flags, false);
    pushCurrent(*context);
  });
}

SIM_EXPORT CUresult cuCtxDestroy_v2(CUcontext context) {
  return entry("cuCtxDestroy", kInitialized, [&] {
    auto found = registry().contexts.find(context);
    require(found && !found->primary, CUDA_ERROR_INVALID_CONTEXT);
    Context::destroy(context);
    if (currentHandle() == context) popCurrent();
  });
}

SIM_EXPORT CUresult cuCtxSetCurrent(CUcontext context) {
  return entry("cuCtxSetCurrent", kInitialized, [&] { setCurrent(context); });
}

SIM_EXPORT CUresult cuCtxGetCurrent(CUcontext* context) {
  return entry("cuCtxGetCurrent", kInitialized, [&] { *context = currentHandle(); });
}

SIM_EXPORT CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return entry("cuCtxPushCurrent", kInitialized, [&] { pushCurrent(context); });
}

SIM_EXPORT CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  return entry("cuCtxPopCurrent", kInitialized, [&] {
    CUcontext top = popCurrent();
    if (context) *context = top;
  });
}

SIM_EXPORT CUresult cuCtxGetDevice(CUdevice* ordinal) {
  return entry("cuCtxGetDevice", kContext, [&] { *ordinal = current()->device.ordinal; });
}

SIM_EXPORT CUresult cuCtxGetFlags(unsigned* flags) {
  return entry("cuCtxGetFlags", kContext, [&] { *flags = current()->flags; });
}

SIM_EXPORT CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  return entry("cuCtxGetId", kInitialized, [&] {
    auto found = context ? registry().contexts.find(context) : current();
    require(found != nullptr, CUDA_ERROR_CONTEXT_IS_DESTROYED);
    *id = found->id;
  });
}

SIM_EXPORT CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
  return entry("cuCtxGetApiVersion", kInitialized, [&] {
    if (context) require(registry().contexts.find(context) != nullptr, CUDA_ERROR_INVALID_CONTEXT);
    *version = 3020;
  });
}

SIM_EXPORT CUresult cuCtxSynchronize() {
  return entry("cuCtxSynchronize", kWell, [&] {
    refuseWhileContextCaptures(*current());
    current()->synchronize();
  });
}

SIM_EXPORT CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return entry("cuCtxGetStreamPriorityRange", kContext, [&] {
    if (least) *least = 0;
    if (greatest) *greatest = -5;
  });
}

// Hints of caches and shared memory banks mean nothing here.
SIM_EXPORT CUresult cuCtxSetCacheConfig(int) { return entry("cuCtxSetCacheConfig", kWell, [] {}); }
SIM_EXPORT CUresult cuCtxSetSharedMemConfig(int) { return entry("cuCtxSetSharedMemConfig", kWell, [] {}); }

SIM_EXPORT CUresult cuCtxGetCacheConfig(int* config) {
  return entry("cuCtxGetCacheConfig", kWell, [&] { *config = 0; });
}

SIM_EXPORT CUresult cuCtxGetSharedMemConfig(int* config) {
  return entry("cuCtxGetSharedMemConfig", kWell, [&] { *config = 1; });
}

SIM_EXPORT CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  return entry("cuCtxEnablePeerAccess", kWell, [&] {
    auto found = registry().contexts.find(peer);
    require(found != nullptr, CUDA_ERROR_INVALID_CONTEXT);
    require(&found->device != &current()->device, CUDA_ERROR_INVALID_DEVICE, "the context's own device");
    requireValue(flags == 0, "flags must be 0");
    require(settings().peers, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "no device reaches another's memory");
  });
}

SIM_EXPORT CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  return entry("cuCtxDisablePeerAccess", kWell, [&] {
    require(registry().contexts.find(peer) != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  });
}
