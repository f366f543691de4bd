#include "device/race_check.h"

#include <cmath>
#include <cstring>
#include <map>
#include <mutex>

namespace sim::device {
namespace {

constexpr double kRelative = 1e-2, kAbsolute = 1e-5;

std::mutex oneCheck;
std::map<const char*, unsigned> sums;  // guarded by oneCheck: address and width of what atomics added to

using Snapshot = std::vector<std::vector<char>>;

Snapshot copyOf(const std::vector<MemoryRange>& ranges) {
  Snapshot copies;
  for (const MemoryRange& range : ranges) copies.emplace_back(range.address, range.address + range.bytes);
  return copies;
}

// Only bytes that differ are written: other pages may be read-only by then, or belong to other code.
void putBack(const std::vector<MemoryRange>& ranges, const Snapshot& before) {
  constexpr size_t kStep = 4096;
  for (size_t i = 0; i < ranges.size(); i++) {
    for (size_t at = 0; at < ranges[i].bytes; at += kStep) {
      const size_t bytes = std::min(kStep, ranges[i].bytes - at);
      if (memcmp(ranges[i].address + at, before[i].data() + at, bytes) != 0) {
        memcpy(ranges[i].address + at, before[i].data() + at, bytes);
      }
    }
  }
}

template <class T>
bool closeEnough(const char* a, const char* b) {
  T x, y;
  memcpy(&x, a, sizeof x);
  memcpy(&y, b, sizeof y);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
  return x == y || std::abs(x - y) <= kAbsolute + kRelative * std::max(std::abs(x), std::abs(y));
}

// How many bytes from here on are a sum that is near enough in both; 0: none.
size_t agreeingSum(const char* address, const char* now, const char* then) {
  auto after = sums.upper_bound(address);
  if (after == sums.begin()) return 0;
  const auto& [start, width] = *--after;
  if (address >= start + width) return 0;
  const ptrdiff_t back = start - address;
  if (width == 4 && !closeEnough<float>(now + back, then + back)) return 0;
  if (width == 8 && !closeEnough<double>(now + back, then + back)) return 0;
  return static_cast<size_t>(start + width - address);
}

const char* firstDifference(const MemoryRange& range, const char* forward) {
  constexpr size_t kStep = 4096;
  for (size_t at = 0; at < range.bytes;) {
    const size_t step = std::min(kStep, range.bytes - at);
    if (memcmp(range.address + at, forward + at, step) == 0) {
      at += step;
      continue;
    }
    while (range.address[at] == forward[at]) at++;
    const size_t sum = agreeingSum(range.address + at, range.address + at, forward + at);
    if (sum == 0) return range.address + at;
    at += sum;
  }
  return nullptr;
}

Fault compare(const std::vector<MemoryRange>& ranges, const Snapshot& forward) {
  for (size_t i = 0; i < ranges.size(); i++) {
    const char* address = firstDifference(ranges[i], forward[i].data());
    if (address == nullptr) continue;
    return {719, "race: other values in the other order of its threads, first at " + describeAddress(address)};
  }
  return {};
}

}  // namespace

Fault checkRaces(const std::vector<MemoryRange>& variables, const std::function<Fault(const Order&)>& run) {
  std::lock_guard<std::mutex> lock(oneCheck);
  sums.clear();
  std::vector<MemoryRange> ranges = variables;
  eachAllocation([&](char* address, size_t bytes) { ranges.push_back({address, bytes}); });
  const Snapshot before = copyOf(ranges);
  Fault fault = run({Order::Kind::Forward, 0});
  if (fault.code != 0) return fault;
  const Snapshot forward = copyOf(ranges);
  putBack(ranges, before);
  fault = run({Order::Kind::Reverse, 0});
  return fault.code != 0 ? fault : compare(ranges, forward);
}

void noteAtomic(const void* address, unsigned bytes) { sums[static_cast<const char*>(address)] = bytes; }

}  // namespace sim::device
