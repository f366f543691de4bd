// What is known of an address.
#include "current.h"
#include "entry.h"
#include "memory_map.h"
#include "registry.h"

using namespace sim;

SIM_EXPORT CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* bytes, CUdeviceptr address) {
  return entry("cuMemGetAddressRange", kWell, [&] {
    auto range = memoryMap().find(reinterpret_cast<void*>(address));
    require(range && range->onDevice(), CUDA_ERROR_NOT_FOUND, "not an address of the device");
    if (base) *base = reinterpret_cast<CUdeviceptr>(range->address);
    if (bytes) *bytes = range->bytes;
  });
}

template <class Value>
static void put(void* place, Value value) {
  *static_cast<Value*>(place) = value;
}

static CUcontext contextOf(const Range& range) {
  return range.owner ? registry().contexts.handleIf([&](auto& context) { return &context == range.owner; }) : nullptr;
}

static void attributeOf(const Range& range, CUpointer_attribute number, CUdeviceptr address, void* place) {
  switch (number) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: return put(place, contextOf(range));
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return put<unsigned>(place, range.onDevice() ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return put(place, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      requireValue(range.onHost(), "not memory of the host");
      return put(place, reinterpret_cast<void*>(address));
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: return put(place, 0);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: return put<unsigned long long>(place, range.id);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: return put<unsigned>(place, range.kind == MemoryKind::managed);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return put(place, range.deviceOrdinal);
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: return put(place, reinterpret_cast<CUdeviceptr>(range.address));
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: return put(place, range.bytes);
    case CU_POINTER_ATTRIBUTE_MAPPED: return put<unsigned>(place, 1);
    default: fail(CUDA_ERROR_NOT_SUPPORTED, "the attribute is not simulated");
  }
}

SIM_EXPORT CUresult cuPointerGetAttribute(void* place, CUpointer_attribute number, CUdeviceptr address) {
  return entry("cuPointerGetAttribute", kWell, [&] {
    auto range = memoryMap().find(reinterpret_cast<void*>(address));
    requireValue(place && range, "not memory of CUDA");
    attributeOf(*range, number, address, place);
  });
}

// Unlike the single question, unknown addresses answer 0 here.
SIM_EXPORT CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* numbers, void** places,
                                           CUdeviceptr address) {
  return entry("cuPointerGetAttributes", kWell, [&] {
    requireValue(numbers && places && count, "null");
    auto range = memoryMap().find(reinterpret_cast<void*>(address));
    for (unsigned i = 0; i < count; i++) {
      if (range) attributeOf(*range, numbers[i], address, places[i]);
      else put<unsigned>(places[i], 0);
    }
  });
}
