// Memory pools, as far as their handles go.
#include "current.h"
#include "device.h"
#include "entry.h"
#include "pool.h"
#include "registry.h"

using namespace sim;

SIM_EXPORT CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  return entry("cuMemPoolCreate", kWell, [&] {
    requireValue(pool && properties, "null");
    requireValue(properties->allocType == CU_MEM_ALLOCATION_TYPE_PINNED, "only pinned allocations");
    requireValue(properties->location.type == CU_MEM_LOCATION_TYPE_DEVICE, "only on a device");
    deviceOf(properties->location.id);
    *pool = registry().pools.add(std::make_shared<Pool>(Pool{current()}));
  });
}

SIM_EXPORT CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  return entry("cuMemPoolDestroy", kInitialized, [&] { registry().pools.remove(pool); });
}

SIM_EXPORT CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t) {
  return entry("cuMemPoolTrimTo", kInitialized, [&] { registry().pools.at(pool); });
}
