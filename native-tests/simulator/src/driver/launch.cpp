#include "launch.h"

#include <algorithm>
#include <cstring>

#include "current.h"
#include "failure.h"
#include "registry.h"

namespace sim {

constexpr size_t kArgumentAlignment = 16;

// A packed buffer aligns each argument as C does. Only sizes are known: the largest power of two in a size is its
// alignment for all types but structures of small members, which are seldom packed by hand.
static size_t packedAlignment(size_t bytes) { return std::min(bytes & (~bytes + 1), kArgumentAlignment); }

static const char* packedBuffer(void* const* extra, size_t& bytes) {
  const char* buffer = nullptr;
  for (; extra && reinterpret_cast<uintptr_t>(*extra) != CU_LAUNCH_PARAM_END_VALUE; extra += 2) {
    uintptr_t mark = reinterpret_cast<uintptr_t>(extra[0]);
    if (mark == CU_LAUNCH_PARAM_BUFFER_POINTER_VALUE) buffer = static_cast<const char*>(extra[1]);
    else if (mark == CU_LAUNCH_PARAM_BUFFER_SIZE_VALUE) bytes = *static_cast<const size_t*>(extra[1]);
    else fail(CUDA_ERROR_INVALID_VALUE, "unknown mark in extra");
  }
  return buffer;
}

Arguments::Arguments(const Kernel& kernel, void* const* pointers, void* const* extra) {
  const auto& sizes = kernel.parameterSizes();
  if (sizes.empty()) return;
  requireValue(!(pointers && extra), "both kernelParams and extra");
  size_t packedBytes = 0, at = 0, total = 0;
  const char* packed = pointers ? nullptr : packedBuffer(extra, packedBytes);
  requireValue(pointers || packed, "the kernel has parameters and the launch none");
  for (size_t size : sizes) total += (size + kArgumentAlignment - 1) / kArgumentAlignment * kArgumentAlignment;
  storage.reset(new char[total]);  // new aligns to 16 bytes
  char* place = storage.get();
  for (size_t i = 0; i < sizes.size(); i++) {
    size_t unit = packedAlignment(sizes[i]);
    at = (at + unit - 1) / unit * unit;
    requireValue(pointers || at + sizes[i] <= packedBytes, "the packed arguments are too short");
    requireValue(!pointers || pointers[i], "null argument");
    memcpy(place, pointers ? pointers[i] : packed + at, sizes[i]);
    places.push_back(place);
    at += sizes[i];
    place += (sizes[i] + kArgumentAlignment - 1) / kArgumentAlignment * kArgumentAlignment;
  }
}

KernelWork::KernelWork(CUfunction handle, std::shared_ptr<Function> function, const LaunchShape& shape,
                       Arguments arguments)
    : handle(handle), shape(shape), arguments(std::move(arguments)), function(std::move(function)) {}

WorkPointer checkedLaunch(const CUDA_KERNEL_NODE_PARAMS& launch) {
  auto function = registry().functions.at(launch.func);
  require(function->module->context == current(), CUDA_ERROR_INVALID_HANDLE, "the kernel is of another context");
  LaunchShape shape{launch.gridDimX, launch.gridDimY, launch.gridDimZ, launch.blockDimX, launch.blockDimY,
                    launch.blockDimZ, launch.sharedMemBytes};
  requireValue(launch.sharedMemBytes <= static_cast<unsigned>(function->dynamicSharedLimit.load()),
               "more shared memory than the function may have");
  Fault fault = function->kernel->check(shape);
  if (fault.code) fail(static_cast<CUresult>(fault.code), fault.message);
  Arguments arguments(*function->kernel, launch.kernelParams, launch.extra);
  return std::make_shared<KernelWork>(launch.func, std::move(function), shape, std::move(arguments));
}

}  // namespace sim
