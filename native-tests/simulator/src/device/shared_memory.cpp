#include "device/shared_memory.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace sim::device {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kRoom = (kMaxSharedBytes + kPage - 1) / kPage * kPage;

}  // namespace

DynamicShared::DynamicShared() {
  void* mapped = mmap(nullptr, kRoom + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                      -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  mapped_ = static_cast<char*>(mapped);
  mprotect(mapped_ + kRoom, kPage, PROT_NONE);
}

DynamicShared::~DynamicShared() { munmap(mapped_, kRoom + kPage); }

void* DynamicShared::start(size_t bytes) const { return mapped_ + kRoom - (bytes + 15) / 16 * 16; }

void poison(void* memory, size_t bytes) { memset(memory, 0xff, bytes); }

}  // namespace sim::device
