// Virtual memory management, by the API's names.
#include "entry.h"
#include "registry.h"
#include "virtual_memory.h"

using namespace sim;

static char* place(CUdeviceptr address) { return reinterpret_cast<char*>(address); }

static PhysicalPointer physicalOf(CUmemGenericAllocationHandle handle) {
  return registry().physical.at(reinterpret_cast<void*>(handle));
}

static Device& checkedDevice(const CUmemAllocationProp& properties) {
  requireValue(properties.type == CU_MEM_ALLOCATION_TYPE_PINNED, "only pinned allocations");
  requireValue(properties.location.type == CU_MEM_LOCATION_TYPE_DEVICE, "only on a device");
  return deviceOf(properties.location.id);
}

SIM_EXPORT CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp* properties, int) {
  return entry("cuMemGetAllocationGranularity", kInitialized, [&] {
    requireValue(bytes && properties, "null");
    checkedDevice(*properties);
    *bytes = kGranularity;
  });
}

SIM_EXPORT CUresult cuMemAddressReserve(CUdeviceptr* address, size_t bytes, size_t alignment, CUdeviceptr,
                                        unsigned long long flags) {
  return entry("cuMemAddressReserve", kInitialized, [&] {
    requireValue(address && flags == 0, "flags must be 0");
    *address = reinterpret_cast<CUdeviceptr>(reserveRange(bytes, alignment));
  });
}

SIM_EXPORT CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  return entry("cuMemAddressFree", kInitialized, [&] { freeRange(place(address), bytes); });
}

SIM_EXPORT CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes,
                                const CUmemAllocationProp* properties, unsigned long long flags) {
  return entry("cuMemCreate", kInitialized | kOutsideCapture, [&] {
    requireValue(handle && properties && flags == 0, "flags must be 0");
    requireValue(bytes && bytes % kGranularity == 0, "size must be whole pages of 2 MiB");
    auto physical = std::make_shared<Physical>(checkedDevice(*properties), bytes, *properties);
    *handle = reinterpret_cast<CUmemGenericAllocationHandle>(registry().physical.add(std::move(physical)));
  });
}

SIM_EXPORT CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  return entry("cuMemRelease", kInitialized, [&] {
    auto physical = physicalOf(handle);
    if (--physical->handles == 0) registry().physical.remove(reinterpret_cast<void*>(handle));
  });
}

SIM_EXPORT CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                             unsigned long long flags) {
  return entry("cuMemMap", kInitialized, [&] {
    requireValue(offset == 0 && flags == 0, "offset and flags must be 0");
    mapInto(place(address), bytes, physicalOf(handle));
  });
}

SIM_EXPORT CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  return entry("cuMemUnmap", kInitialized | kOutsideCapture, [&] { unmapFrom(place(address), bytes); });
}

SIM_EXPORT CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc* access, size_t count) {
  return entry("cuMemSetAccess", kInitialized, [&] {
    requireValue(access && count, "no access given");
    for (size_t i = 0; i < count; i++) {
      requireValue(access[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE, "only devices");
      int flags = access[i].flags;
      bool known = flags == CU_MEM_ACCESS_FLAGS_PROT_NONE || flags == CU_MEM_ACCESS_FLAGS_PROT_READ ||
                   flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
      requireValue(known, "unknown access");
      giveAccess(place(address), bytes, deviceOf(access[i].location.id).ordinal, flags);
    }
  });
}

SIM_EXPORT CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr address) {
  return entry("cuMemGetAccess", kInitialized, [&] {
    requireValue(flags && location, "null");
    *flags = static_cast<unsigned long long>(accessOf(place(address)));
  });
}

SIM_EXPORT CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle, void* address) {
  return entry("cuMemRetainAllocationHandle", kInitialized, [&] {
    auto physical = physicalAt(static_cast<char*>(address));
    void* known = registry().physical.handleOf(physical);
    if (known) physical->handles++;
    else physical->handles = 1, known = registry().physical.add(physical);
    *handle = reinterpret_cast<CUmemGenericAllocationHandle>(known);
  });
}

SIM_EXPORT CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                           CUmemGenericAllocationHandle handle) {
  return entry("cuMemGetAllocationPropertiesFromHandle", kInitialized, [&] {
    *properties = physicalOf(handle)->properties;
  });
}
