// Addresses of one device's allocations. Each allocation has pages of its own and ends right at a page that must not be
// touched; freed addresses come back as late as possible, so that a use after the free is caught.
#pragma once
#include <cstddef>
#include <map>
#include <mutex>

namespace sim {

class PageSpace {
 public:
  static constexpr size_t kPage = 4096;

  explicit PageSpace(size_t memoryBytes);

  // Poisoned pages for `bytes`, a multiple of the page; CUDA_ERROR_OUT_OF_MEMORY when the kernel gives no more
  // mappings.
  char* grant(size_t bytes);
  void giveBack(char* pages, size_t bytes);

 private:
  size_t findFree(size_t bytes);
  void addFree(size_t offset, size_t bytes);

  std::mutex mutex;
  char* base;
  size_t reservedBytes;
  size_t cursor = 0;                   // the search goes on where the last grant ended
  std::map<size_t, size_t> freeRuns;   // offset -> bytes
};

// Fills [address, address + bytes), page aligned, with poison: every element type reads NaN or -1. Costs memory only
// where it is written to. False when the kernel refuses.
bool mapPoison(char* address, size_t bytes);

// Takes the access and the memory away, and keeps the addresses.
void mapNothing(char* address, size_t bytes);

// Addresses alone; null when there are none.
char* reserveAddresses(size_t bytes, size_t alignment);

}  // namespace sim
