// Kernels: attributes and launches.
#include "capture.h"
#include "enqueue.h"
#include "current.h"
#include "entry.h"
#include "fault_plan.h"
#include "launch.h"
#include "memory_map.h"
#include "registry.h"
#include "stream.h"

using namespace sim;

SIM_EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                   unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                   CUstream stream, void** parameters, void** extra) {
  return entry("cuLaunchKernel", kWell, [&] {
    CUDA_KERNEL_NODE_PARAMS launch{function, gridX, gridY, gridZ, blockX, blockY, blockZ,
                                   sharedBytes, parameters, extra, nullptr, nullptr};
    issue(streamOf(stream), checkedLaunch(launch));
  });
}

SIM_EXPORT CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  return entry("cuFuncGetModule", kInitialized, [&] {
    *module = registry().modules.handleOf(registry().functions.at(function)->module);
  });
}

static int valueOf(CUfunction_attribute number, const Function& function) {
  switch (number) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: return static_cast<int>(function.kernel->maxThreads());
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: return static_cast<int>(function.kernel->staticSharedBytes());
    case CU_FUNC_ATTRIBUTE_NUM_REGS: return 32;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: return 90;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: return function.dynamicSharedLimit;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: return -1;
    default: return 0;
  }
}

SIM_EXPORT CUresult cuFuncGetAttribute(int* value, CUfunction_attribute number, CUfunction function) {
  return entry("cuFuncGetAttribute", kWell, [&] {
    requireValue(value && number >= 0 && number < 16, "no such attribute");
    *value = valueOf(number, *registry().functions.at(function));
  });
}

SIM_EXPORT CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute number, int value) {
  return entry("cuFuncSetAttribute", kWell, [&] {
    auto found = registry().functions.at(function);
    if (number == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) return;
    requireValue(number == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, "the attribute can't be set");
    requireValue(value >= 0 && value <= kSharedBytesAtMost, "more shared memory than the device has");
    found->dynamicSharedLimit = value;
  });
}

// Hints of caches and shared memory banks mean nothing here.
SIM_EXPORT CUresult cuFuncSetCacheConfig(CUfunction function, int) {
  return entry("cuFuncSetCacheConfig", kWell, [&] { registry().functions.at(function); });
}

SIM_EXPORT CUresult cuFuncSetSharedMemConfig(CUfunction function, int) {
  return entry("cuFuncSetSharedMemConfig", kWell, [&] { registry().functions.at(function); });
}

namespace {

// What a library puts into a stream: as a kernel, but not one that the user could change in a graph.
class LibraryWork : public Work {
 public:
  LibraryWork(const char* name, int (*function)(void*), std::shared_ptr<void> data)
      : name(name), function(function), data(std::move(data)) {}
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_KERNEL; }
  std::string what() const override { return name; }
  Fault run(Stream&) const override {
    int code = function(data.get());
    return {code, code ? "the library's kernel failed" : ""};
  }

 private:
  const std::string name;
  int (*const function)(void*);
  const std::shared_ptr<void> data;
};

}  // namespace

CUresult cairn_sim_enqueue(CUstream stream, const char* name, int (*run)(void* data), void* data,
                           void (*drop)(void* data)) {
  std::shared_ptr<void> kept(data, [drop](void* d) { if (drop) drop(d); });
  return entry("cairn_sim_enqueue", kWell, [&] {
    issue(streamOf(stream), std::make_shared<LibraryWork>(name, run, std::move(kept)));
  });
}

int cairn_sim_reachable(const void* address, size_t bytes) { return memoryMap().covers(address, bytes); }

int cairn_sim_planned(const char* call) { return faultPlan().enter(call); }
