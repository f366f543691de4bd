// Allocations on a device and pinned memory of the host: addresses, contents, canaries, and their place in the map.
#pragma once
#include "context.h"
#include "memory_map.h"

namespace sim {

// 512-byte aligned, poisoned, ending at a page that must not be touched; CUDA_ERROR_OUT_OF_MEMORY with nothing taken.
char* allocateOnDevice(Context& context, size_t bytes, MemoryKind kind);
char* allocatePinned(Context& context, size_t bytes, unsigned flags);

// Gives back what a range holds that was taken out of the map.
void releaseRange(const Range& range);

}  // namespace sim
