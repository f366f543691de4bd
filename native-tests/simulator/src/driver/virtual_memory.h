// Addresses and physical memory apart: ranges are reserved, physical memory is made, mapped into them, and may be
// touched once access was given. Physical memory lives as long as its handle or a mapping of it.
#pragma once
#include <memory>
#include <vector>

#include "abi.h"
#include "device.h"

namespace sim {

struct Physical {
  Physical(Device& device, size_t bytes, const CUmemAllocationProp& properties);
  ~Physical();

  Device& device;
  const size_t bytes;
  const CUmemAllocationProp properties;
  const std::vector<size_t> frames;
  int handles = 1;  // cuMemRetainAllocationHandle adds one
};

using PhysicalPointer = std::shared_ptr<Physical>;

constexpr size_t kGranularity = Frames::kFrame;

char* reserveRange(size_t bytes, size_t alignment);
void freeRange(char* address, size_t bytes);
void mapInto(char* address, size_t bytes, const PhysicalPointer& physical);
void unmapFrom(char* address, size_t bytes);
void giveAccess(char* address, size_t bytes, int deviceOrdinal, int flags);
int accessOf(const char* address);
PhysicalPointer physicalAt(const char* address);
size_t reservationCount();

}  // namespace sim
