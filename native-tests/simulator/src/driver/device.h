// One simulated GPU: a limit on memory, the addresses it deals out, and its primary context.
#pragma once
#include <memory>
#include <mutex>

#include "abi.h"
#include "frames.h"
#include "page_space.h"

namespace sim {

class Context;

class Device {
 public:
  explicit Device(int ordinal);

  const int ordinal;
  PageSpace pages;    // addresses of allocations
  Frames frames;      // physical memory that is mapped by its users

  // Memory is counted apart from addresses; CUDA_ERROR_OUT_OF_MEMORY, and nothing taken, past the limit.
  void take(size_t bytes);
  void giveBack(size_t bytes);
  size_t freeBytes() const;
  size_t totalBytes() const;

  CUcontext retainPrimary();
  void releasePrimary();
  void resetPrimary();
  bool primaryActive() const;
  unsigned primaryFlags() const;
  void setPrimaryFlags(unsigned flags);

 private:
  mutable std::mutex mutex;
  size_t usedBytes = 0;
  CUcontext primary = nullptr;
  unsigned references = 0;
  unsigned flags = 0;
};

int attribute(int number);  // CUdevice_attribute: those of an H100 where Cairn asks, 0 otherwise

// CUDA_ERROR_INVALID_DEVICE where there is no such device.
Device& deviceOf(CUdevice ordinal);

}  // namespace sim
