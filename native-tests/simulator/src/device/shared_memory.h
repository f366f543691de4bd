// The shared memory of the block that runs on this OS thread.
#pragma once
#include <cstddef>

namespace sim::device {

constexpr size_t kMaxSharedBytes = 232448;  // what a block may have on sm_90

// Dynamic shared memory that ends at a page that must not be touched, so that a write past its end is found.
class DynamicShared {
 public:
  DynamicShared();
  ~DynamicShared();
  DynamicShared(const DynamicShared&) = delete;
  DynamicShared& operator=(const DynamicShared&) = delete;

  void* start(size_t bytes) const;

 private:
  char* mapped_;
};

// Filled before every block with what is not a number in any floating type.
void poison(void* memory, size_t bytes);

}  // namespace sim::device
