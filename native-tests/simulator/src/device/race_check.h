// The race check (CAIRN_SIM_ORDER=check): a kernel runs forward, memory is put back, it runs in reverse; what then
// differs depends on the order of threads.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "device/order.h"
#include "driver/grid_runner.h"

namespace sim::device {

struct MemoryRange {
  char* address;
  size_t bytes;
};

// `variables` are the module's own, beside the driver's allocations. One check runs at a time.
Fault checkRaces(const std::vector<MemoryRange>& variables, const std::function<Fault(const Order&)>& run);

// Sums of floating values may differ in their last digits by the order of their terms: such a place is compared
// loosely.
void noteAtomic(const void* address, unsigned bytes);

}  // namespace sim::device
