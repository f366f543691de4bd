#include "page_space.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "failure.h"
#include "settings.h"

namespace sim {

constexpr size_t kFirstGuard = size_t{64} << 20;
constexpr size_t kPoisonBytes = size_t{4} << 20;

static int poisonFile() {
  static int file = [] {
    int fd = memfd_create("cairn-poison", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, kPoisonBytes)) return -1;
    void* all = mmap(nullptr, kPoisonBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (all == MAP_FAILED) return -1;
    memset(all, 0xff, kPoisonBytes);
    munmap(all, kPoisonBytes);
    return fd;
  }();
  return file;
}

bool mapPoison(char* address, size_t bytes) {
  int access = PROT_READ | PROT_WRITE;
  if (!settings().poison) {
    return mmap(address, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != MAP_FAILED;
  }
  // Private mappings of one small file full of poison: a page is copied when it is first written to.
  for (size_t at = 0; at < bytes; at += kPoisonBytes) {
    size_t part = std::min(kPoisonBytes, bytes - at);
    void* got = mmap(address + at, part, access, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, poisonFile(), 0);
    if (got == MAP_FAILED) return false;
  }
  return true;
}

void mapNothing(char* address, size_t bytes) {
  // Can't go on with pages that should be out of reach and are not.
  void* got = mmap(address, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) abort();
}

char* reserveAddresses(size_t bytes, size_t alignment) {
  size_t all = bytes + alignment;
  void* got = mmap(nullptr, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) return nullptr;
  char* start = static_cast<char*>(got);
  size_t skip = (alignment - reinterpret_cast<uintptr_t>(start) % alignment) % alignment;
  if (skip) munmap(start, skip);
  if (alignment - skip) munmap(start + skip + bytes, alignment - skip);
  return start + skip;
}

PageSpace::PageSpace(size_t memoryBytes)
    : reservedBytes(std::min(std::max(memoryBytes * 64, size_t{64} << 30), size_t{4} << 40)) {
  base = reserveAddresses(reservedBytes, size_t{2} << 20);
  if (!base) fail(CUDA_ERROR_OPERATING_SYSTEM, "no addresses for the device's memory");
  // Below lies memory of the process: the first allocation is guarded further than the others.
  freeRuns[kFirstGuard] = reservedBytes - kFirstGuard;
}

size_t PageSpace::findFree(size_t bytes) {
  auto from = freeRuns.lower_bound(cursor);
  for (auto it = from; it != freeRuns.end(); ++it) if (it->second >= bytes) return it->first;
  for (auto it = freeRuns.begin(); it != from; ++it) if (it->second >= bytes) return it->first;
  fail(CUDA_ERROR_OUT_OF_MEMORY, "no addresses left");
}

void PageSpace::addFree(size_t offset, size_t bytes) {
  auto next = freeRuns.lower_bound(offset);
  if (next != freeRuns.end() && offset + bytes == next->first) {
    bytes += next->second;
    next = freeRuns.erase(next);
  }
  if (next != freeRuns.begin()) {
    auto before = std::prev(next);
    if (before->first + before->second == offset) { before->second += bytes; return; }
  }
  freeRuns[offset] = bytes;
}

char* PageSpace::grant(size_t bytes) {
  size_t guarded = bytes + kPage;
  std::lock_guard<std::mutex> lock(mutex);
  size_t offset = findFree(guarded);
  auto run = freeRuns.find(offset);
  size_t left = run->second - guarded;
  freeRuns.erase(run);
  if (left) freeRuns[offset + guarded] = left;
  cursor = offset + guarded;
  if (!mapPoison(base + offset, bytes)) {
    mapNothing(base + offset, bytes);
    addFree(offset, guarded);
    fail(CUDA_ERROR_OUT_OF_MEMORY, "the operating system gives no more mappings");
  }
  return base + offset;
}

void PageSpace::giveBack(char* pages, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  mapNothing(pages, bytes);
  addFree(static_cast<size_t>(pages - base), bytes + kPage);
}

}  // namespace sim
