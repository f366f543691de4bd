// Runs the blocks of a grid one after another on the calling thread. Two streams give two grids at a time; within a
// grid, what runs beside what would only make failures hard to repeat.
#pragma once
#include <vector>

#include "device/order.h"
#include "driver/grid_runner.h"
#include "shim/cairn_kernel_abi.h"

namespace sim::device {

// A range of a module's thread-local storage, counted from the module's anchor variable.
struct SharedRange {
  ptrdiff_t fromAnchor;
  size_t bytes;
};

struct GridProgram {
  const CairnKernelEntry* entry;
  void* (*bindShared)(void* dynamicShared);  // answers the anchor's address on this thread
  std::vector<SharedRange> staticShared;
};

Fault runGrid(const GridProgram& program, const LaunchShape& shape, void* const* arguments, const Order& order,
              bool notesAtomics);

}  // namespace sim::device
