#include "memory_map.h"

#include "handle_table.h"

namespace sim {

const char* nameOf(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device: return "device";
    case MemoryKind::managed: return "managed";
    case MemoryKind::mapped: return "mapped";
    case MemoryKind::global: return "global";
    case MemoryKind::pinned: return "pinned";
    default: return "registered";
  }
}

MemoryMap& memoryMap() {
  static MemoryMap& map = *new MemoryMap;
  return map;
}

template <class Ranges>
static auto containing(Ranges& ranges, const void* address) {
  auto at = static_cast<const char*>(address);
  auto next = ranges.upper_bound(at);
  if (next == ranges.begin()) return ranges.end();
  auto found = std::prev(next);
  return at < found->first + found->second.bytes ? found : ranges.end();
}

void MemoryMap::add(Range range) {
  range.id = nextHandle() >> 4;
  std::lock_guard<std::mutex> lock(mutex);
  ranges[range.address] = range;
}

bool MemoryMap::overlaps(const void* address, size_t bytes) const {
  auto first = static_cast<const char*>(address);
  std::lock_guard<std::mutex> lock(mutex);
  auto next = ranges.upper_bound(first);
  if (next != ranges.end() && next->first < first + bytes) return true;
  return containing(ranges, first) != ranges.end();
}

std::optional<Range> MemoryMap::take(const void* address, MemoryKind kind) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = ranges.find(static_cast<const char*>(address));
  if (found == ranges.end() || found->second.kind != kind) return std::nullopt;
  Range range = found->second;
  ranges.erase(found);
  return range;
}

std::optional<Range> MemoryMap::find(const void* address) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = containing(ranges, address);
  if (found == ranges.end()) return std::nullopt;
  return found->second;
}

bool MemoryMap::covers(const void* address, size_t bytes) const {
  auto at = static_cast<const char*>(address);
  const char* end = at + bytes;
  if (end < at) return false;
  std::lock_guard<std::mutex> lock(mutex);
  auto found = containing(ranges, at);
  if (found == ranges.end()) return false;
  while (found->first + found->second.bytes < end) {
    const char* border = found->first + found->second.bytes;
    if (found->second.kind != MemoryKind::mapped || ++found == ranges.end()) return false;
    if (found->first != border || found->second.kind != MemoryKind::mapped) return false;
  }
  return true;
}

bool MemoryMap::beginFreeing(const void* address) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = ranges.find(static_cast<const char*>(address));
  if (found == ranges.end() || found->second.kind != MemoryKind::device || found->second.freeing) return false;
  found->second.freeing = true;
  return true;
}

std::vector<Range> MemoryMap::ownedBy(const Context* owner) const {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<Range> mine;
  for (auto& entry : ranges) if (entry.second.owner == owner) mine.push_back(entry.second);
  return mine;
}

void MemoryMap::each(const std::function<void(const Range&)>& visit) const {
  std::lock_guard<std::mutex> lock(mutex);
  for (auto& entry : ranges) visit(entry.second);
}

void eachAllocation(const std::function<void(char* address, size_t bytes)>& visit) {
  memoryMap().each([&](const Range& range) {
    if (range.onDevice() && range.writable) visit(range.address, range.bytes);
  });
}

static std::string hex(const void* address) {
  char text[32];
  snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(address)));
  return text;
}

std::string describeAddress(const void* address) {
  auto at = static_cast<const char*>(address);
  std::string words = hex(address), nearest = " (in no allocation)";
  size_t distance = size_t{64} << 20;
  memoryMap().each([&](const Range& range) {
    std::string whose = std::string(nameOf(range.kind)) + " memory at " + hex(range.address) + " of " +
                        std::to_string(range.bytes) + " bytes";
    if (at >= range.address && at < range.address + range.bytes) {
      nearest = " (byte " + std::to_string(at - range.address) + " of " + whose + ")";
      distance = 0;
    } else if (at < range.address && static_cast<size_t>(range.address - at) < distance) {
      distance = static_cast<size_t>(range.address - at);
      nearest = " (" + std::to_string(distance) + " bytes before " + whose + ")";
    } else if (at >= range.address + range.bytes && static_cast<size_t>(at - range.address - range.bytes) < distance) {
      distance = static_cast<size_t>(at - range.address - range.bytes);
      nearest = " (" + std::to_string(distance) + " bytes past the end of " + whose + ")";
    }
  });
  return words + nearest;
}

}  // namespace sim
