#include "fill.h"

#include <algorithm>
#include <cstring>

#include "failure.h"
#include "memory_map.h"

namespace sim {

constexpr size_t kMostBytes = size_t{1} << 60;

static bool inAllocation(const CUDA_MEMSET_NODE_PARAMS& shape) {
  if (!shape.width || !shape.height) return true;
  size_t bytes = (shape.height - 1) * shape.pitch + shape.width * shape.elementSize;
  return memoryMap().covers(reinterpret_cast<void*>(shape.dst), bytes);
}

WorkPointer checkedFill(CUDA_MEMSET_NODE_PARAMS shape) {
  unsigned size = shape.elementSize;
  requireValue(size == 1 || size == 2 || size == 4, "elements of 1, 2 or 4 bytes");
  requireValue(shape.dst % size == 0, "not aligned to the element");
  // Refuses extents that are so large that a product below would overflow.
  requireValue(shape.width < kMostBytes && shape.height < kMostBytes / std::max(size_t{1}, shape.width * size) &&
                   shape.height < kMostBytes / std::max(size_t{1}, static_cast<size_t>(shape.pitch)),
               "more than any memory");
  if (shape.height <= 1 || shape.pitch == 0) shape.pitch = shape.width * size;
  requireValue(shape.height <= 1 || shape.pitch >= shape.width * size, "a row is longer than the pitch");
  requireValue(inAllocation(shape), "not an allocation, or past its end");
  return std::make_shared<FillWork>(shape);
}

std::string FillWork::what() const {
  return "memset bytes=" + std::to_string(shape.width * shape.height * shape.elementSize);
}

template <class Element>
static void fillRow(void* row, size_t width, unsigned value) {
  auto* elements = static_cast<Element*>(row);
  for (size_t i = 0; i < width; i++) elements[i] = static_cast<Element>(value);
}

Fault FillWork::run(Stream&) const {
  if (!inAllocation(shape)) return {CUDA_ERROR_ILLEGAL_ADDRESS, "the memory was freed before the memset ran"};
  for (size_t line = 0; line < shape.height; line++) {
    void* row = reinterpret_cast<char*>(shape.dst) + line * shape.pitch;
    if (shape.elementSize == 1) memset(row, static_cast<int>(shape.value & 0xff), shape.width);
    else if (shape.elementSize == 2) fillRow<uint16_t>(row, shape.width, shape.value);
    else fillRow<uint32_t>(row, shape.width, shape.value);
  }
  return {};
}

}  // namespace sim
