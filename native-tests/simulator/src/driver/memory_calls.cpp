// Memory of the device.
#include "capture.h"
#include "current.h"
#include "device.h"
#include "device_memory.h"
#include "entry.h"
#include "registry.h"
#include "stream.h"

using namespace sim;

SIM_EXPORT CUresult cuMemGetInfo_v2(size_t* freeBytes, size_t* totalBytes) {
  return entry("cuMemGetInfo", kWell, [&] {
    *freeBytes = current()->device.freeBytes();
    *totalBytes = current()->device.totalBytes();
  });
}

SIM_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t bytes) {
  return entry("cuMemAlloc", kWell | kOutsideCapture, [&] {
    requireValue(address && bytes, "zero bytes");
    *address = reinterpret_cast<CUdeviceptr>(allocateOnDevice(*current(), bytes, MemoryKind::device));
  });
}

SIM_EXPORT CUresult cuMemAllocManaged(CUdeviceptr* address, size_t bytes, unsigned flags) {
  return entry("cuMemAllocManaged", kWell | kOutsideCapture, [&] {
    requireValue(address && bytes && (flags == 1 || flags == 2), "zero bytes, or unknown flags");
    *address = reinterpret_cast<CUdeviceptr>(allocateOnDevice(*current(), bytes, MemoryKind::managed));
  });
}

SIM_EXPORT CUresult cuMemAllocPitch_v2(CUdeviceptr* address, size_t* pitch, size_t width, size_t height,
                                       unsigned size) {
  return entry("cuMemAllocPitch", kWell | kOutsideCapture, [&] {
    requireValue(address && pitch && width && height, "zero bytes");
    requireValue(size == 4 || size == 8 || size == 16, "elements of 4, 8 or 16 bytes");
    require(width < size_t{1} << 46 && height < (size_t{1} << 62) / (width + 512), CUDA_ERROR_OUT_OF_MEMORY);
    *pitch = (width + 511) & ~size_t{511};
    *address = reinterpret_cast<CUdeviceptr>(allocateOnDevice(*current(), *pitch * height, MemoryKind::device));
  });
}

// Waits for the device first, as the real call does.
SIM_EXPORT CUresult cuMemFree_v2(CUdeviceptr address) {
  return entry("cuMemFree", kWell | kOutsideCapture, [&] {
    if (!address) return;
    auto known = memoryMap().find(reinterpret_cast<void*>(address));
    requireValue(known && !known->freeing, "not an allocation");
    auto context = current();
    context->drain();
    auto range = memoryMap().take(reinterpret_cast<void*>(address), MemoryKind::device);
    if (!range) range = memoryMap().take(reinterpret_cast<void*>(address), MemoryKind::managed);
    requireValue(range.has_value(), "not the start of an allocation");
    releaseRange(*range);
    context->requireAlive();
  });
}

namespace {

class FreeWork : public Work {
 public:
  explicit FreeWork(void* address) : address(address) {}
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_EMPTY; }
  std::string what() const override { return "free"; }
  Fault run(Stream&) const override { return {}; }
  void settle(CUresult) const override {
    if (auto range = memoryMap().take(address, MemoryKind::device)) releaseRange(*range);
  }

 private:
  void* const address;
};

CUdeviceptr allocateInOrder(size_t bytes, CUstream stream) {
  requireValue(bytes, "zero bytes");
  refuseIfCapturing(streamOf(stream));
  return reinterpret_cast<CUdeviceptr>(allocateOnDevice(*current(), bytes, MemoryKind::device));
}

}  // namespace

SIM_EXPORT CUresult cuMemAllocAsync(CUdeviceptr* address, size_t bytes, CUstream stream) {
  return entry("cuMemAllocAsync", kWell, [&] { *address = allocateInOrder(bytes, stream); });
}

SIM_EXPORT CUresult cuMemAllocFromPoolAsync(CUdeviceptr* address, size_t bytes, CUmemoryPool pool, CUstream stream) {
  return entry("cuMemAllocFromPoolAsync", kWell, [&] {
    registry().pools.at(pool);
    *address = allocateInOrder(bytes, stream);
  });
}

SIM_EXPORT CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return entry("cuMemFreeAsync", kWell, [&] {
    auto target = streamOf(stream);
    refuseIfCapturing(target);
    void* place = reinterpret_cast<void*>(address);
    requireValue(memoryMap().beginFreeing(place), "not an allocation, or freed already");
    issue(target, std::make_shared<FreeWork>(place));
  });
}
