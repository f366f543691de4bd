// Pinned memory of the host: its own and memory that is registered.
#include "current.h"
#include "device_memory.h"
#include "entry.h"

using namespace sim;

static void allocateHost(void** address, size_t bytes, unsigned flags) {
  requireValue(address && bytes, "zero bytes");
  unsigned known = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
  requireValue((flags & ~known) == 0, "unknown flags");
  *address = allocatePinned(*current(), bytes, flags);
}

SIM_EXPORT CUresult cuMemAllocHost_v2(void** address, size_t bytes) {
  return entry("cuMemAllocHost", kWell | kOutsideCapture, [&] { allocateHost(address, bytes, 0); });
}

SIM_EXPORT CUresult cuMemHostAlloc(void** address, size_t bytes, unsigned flags) {
  return entry("cuMemHostAlloc", kWell | kOutsideCapture, [&] { allocateHost(address, bytes, flags); });
}

// Waits first: copies from and to the memory may be on their way.
SIM_EXPORT CUresult cuMemFreeHost(void* address) {
  return entry("cuMemFreeHost", kWell | kOutsideCapture, [&] {
    auto known = memoryMap().find(address);
    requireValue(known && known->kind == MemoryKind::pinned && known->address == address, "not pinned memory");
    auto context = current();
    context->drain();
    if (auto range = memoryMap().take(address, MemoryKind::pinned)) releaseRange(*range);
    context->requireAlive();
  });
}

SIM_EXPORT CUresult cuMemHostRegister_v2(void* address, size_t bytes, unsigned flags) {
  return entry("cuMemHostRegister", kWell | kOutsideCapture, [&] {
    requireValue(address && bytes && (flags & ~CU_MEMHOSTREGISTER_ALL_FLAGS) == 0, "zero bytes, or unknown flags");
    require(!memoryMap().overlaps(address, bytes), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    auto context = current();
    memoryMap().add({static_cast<char*>(address), bytes, MemoryKind::registered, 0, context.get(), 0, flags, true});
  });
}

SIM_EXPORT CUresult cuMemHostUnregister(void* address) {
  return entry("cuMemHostUnregister", kWell | kOutsideCapture, [&] {
    current()->drain();
    require(memoryMap().take(address, MemoryKind::registered).has_value(), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  });
}

SIM_EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* answer, void* address, unsigned flags) {
  return entry("cuMemHostGetDevicePointer", kWell, [&] {
    auto range = memoryMap().find(address);
    requireValue(range && range->onHost() && flags == 0, "not pinned memory");
    *answer = reinterpret_cast<CUdeviceptr>(address);  // unified addressing: the same on both sides
  });
}

SIM_EXPORT CUresult cuMemHostGetFlags(unsigned* flags, void* address) {
  return entry("cuMemHostGetFlags", kWell, [&] {
    auto range = memoryMap().find(address);
    requireValue(range && !range->onDevice(), "not pinned memory");
    *flags = range->flags | CU_MEMHOSTALLOC_DEVICEMAP;
  });
}
