#include "device_memory.h"

#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "device.h"
#include "failure.h"

namespace sim {

constexpr size_t kAlignment = 512;
constexpr size_t kPage = PageSpace::kPage;
constexpr unsigned char kCanary = 0xCB;

static size_t roundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

// Bytes on the pages of an allocation that lie outside of it.
struct Slack {
  char* address;
  size_t bytes;
};

static Slack before(const Range& range) {
  size_t bytes = reinterpret_cast<uintptr_t>(range.address) % kPage;
  return {range.address - bytes, bytes};
}

static Slack behind(const Range& range) {
  return {range.address + range.bytes, roundUp(range.bytes, kAlignment) - range.bytes};
}

static void plant(Slack slack) { memset(slack.address, kCanary, slack.bytes); }

static const char* firstBroken(Slack slack) {
  // All slack is looked at after every kernel: at once, and by itself only where something is broken.
  static const std::vector<char> whole(kPage, static_cast<char>(kCanary));
  if (memcmp(slack.address, whole.data(), slack.bytes) == 0) return nullptr;
  for (size_t i = 0; i < slack.bytes; i++) {
    if (static_cast<unsigned char>(slack.address[i]) != kCanary) return slack.address + i;
  }
  return nullptr;
}

char* allocateOnDevice(Context& context, size_t bytes, MemoryKind kind) {
  require(bytes <= size_t{1} << 46, CUDA_ERROR_OUT_OF_MEMORY);
  size_t counted = roundUp(bytes, kAlignment), paged = roundUp(bytes, kPage);
  context.device.take(counted);
  char* pages;
  try {
    pages = context.device.pages.grant(paged);
  } catch (...) {
    context.device.giveBack(counted);
    throw;
  }
  Range range{pages + (paged - counted), bytes, kind, context.device.ordinal, &context, 0, 0, true};
  plant(before(range));
  plant(behind(range));
  memoryMap().add(range);
  return range.address;
}

char* allocatePinned(Context& context, size_t bytes, unsigned flags) {
  require(bytes <= size_t{1} << 46, CUDA_ERROR_OUT_OF_MEMORY);
  size_t paged = roundUp(bytes, kPage);
  char* pages = reserveAddresses(paged + kPage, kPage);
  require(pages != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  if (!mapPoison(pages, paged)) {
    munmap(pages, paged + kPage);
    fail(CUDA_ERROR_OUT_OF_MEMORY);
  }
  memoryMap().add({pages, bytes, MemoryKind::pinned, context.device.ordinal, &context, 0, flags, true});
  return pages;
}

void releaseRange(const Range& range) {
  if (range.kind == MemoryKind::pinned) munmap(range.address, roundUp(range.bytes, kPage) + kPage);
  if (range.kind != MemoryKind::device && range.kind != MemoryKind::managed) return;
  Device& owner = deviceOf(range.deviceOrdinal);
  owner.pages.giveBack(before(range).address, roundUp(range.bytes, kPage));
  owner.giveBack(roundUp(range.bytes, kAlignment));
}

Fault brokenCanary() {
  const char* broken = nullptr;
  memoryMap().each([&](const Range& range) {
    if (range.kind != MemoryKind::device && range.kind != MemoryKind::managed) return;
    for (Slack slack : {before(range), behind(range)}) {
      const char* found = firstBroken(slack);
      if (!found) continue;
      if (!broken) broken = found;
      plant(slack);
    }
  });
  if (!broken) return {};
  return {CUDA_ERROR_ILLEGAL_ADDRESS, "something wrote outside of an allocation: " + describeAddress(broken)};
}

}  // namespace sim
