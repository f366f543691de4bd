// Calls that only advise: checked, and without effect.
#include <map>
#include <mutex>

#include "current.h"
#include "entry.h"
#include "memory_map.h"
#include "stream.h"

using namespace sim;

SIM_EXPORT CUresult cuProfilerStart() { return entry("cuProfilerStart", kContext, [] {}); }
SIM_EXPORT CUresult cuProfilerStop() { return entry("cuProfilerStop", kContext, [] {}); }

static void requireManaged(CUdeviceptr address, size_t bytes) {
  auto range = memoryMap().find(reinterpret_cast<void*>(address));
  requireValue(range && range->kind == MemoryKind::managed, "not managed memory");
  requireValue(memoryMap().covers(reinterpret_cast<void*>(address), bytes), "past the end of the allocation");
}

SIM_EXPORT CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, int, CUdevice) {
  return entry("cuMemAdvise", kWell, [&] { requireManaged(address, bytes); });
}

SIM_EXPORT CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice, CUstream stream) {
  return entry("cuMemPrefetchAsync", kWell, [&] {
    streamOf(stream);
    requireManaged(address, bytes);
  });
}

static std::mutex limitMutex;
static std::map<int, size_t>& limits = *new std::map<int, size_t>{{0, 1024}, {1, 1 << 20}, {2, 8 << 20}};

// Stack, printf buffer, heap of kernels: remembered, and nothing more.
SIM_EXPORT CUresult cuCtxSetLimit(int number, size_t value) {
  return entry("cuCtxSetLimit", kWell, [&] {
    std::lock_guard<std::mutex> lock(limitMutex);
    require(limits.count(number) > 0, CUDA_ERROR_UNSUPPORTED_LIMIT);
    limits[number] = value;
  });
}

SIM_EXPORT CUresult cuCtxGetLimit(size_t* value, int number) {
  return entry("cuCtxGetLimit", kWell, [&] {
    std::lock_guard<std::mutex> lock(limitMutex);
    require(limits.count(number) > 0, CUDA_ERROR_UNSUPPORTED_LIMIT);
    *value = limits[number];
  });
}
