// Which addresses are whose: all device, managed, mapped and pinned memory, by address.
#pragma once
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "abi.h"
#include "grid_runner.h"

namespace sim {

class Context;

// global: a variable of a module, which the module's code owns.
enum class MemoryKind { device, managed, mapped, global, pinned, registered };

const char* nameOf(MemoryKind kind);

struct Range {
  char* address = nullptr;
  size_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  int deviceOrdinal = 0;
  const Context* owner = nullptr;  // null for mapped memory, which belongs to no context
  uint64_t id = 0;                 // CU_POINTER_ATTRIBUTE_BUFFER_ID: never used again
  unsigned flags = 0;              // of cuMemHostAlloc and cuMemHostRegister
  bool writable = true;
  bool freeing = false;            // by cuMemFreeAsync, once its stream comes to it

  bool onDevice() const { return kind != MemoryKind::pinned && kind != MemoryKind::registered; }
  bool onHost() const { return !onDevice() || kind == MemoryKind::managed; }
};

class MemoryMap {
 public:
  void add(Range range);
  bool overlaps(const void* address, size_t bytes) const;

  // The range that begins at the address and is of the kind; taken out.
  std::optional<Range> take(const void* address, MemoryKind kind);

  // The range that the address lies in.
  std::optional<Range> find(const void* address) const;

  // All bytes lie in known memory: in one allocation, or in mapped ranges without a gap.
  bool covers(const void* address, size_t bytes) const;

  // Marks the allocation at the address for a later free; false when there is none, or it is marked already.
  bool beginFreeing(const void* address);

  std::vector<Range> ownedBy(const Context* owner) const;
  void each(const std::function<void(const Range&)>& visit) const;

 private:
  mutable std::mutex mutex;
  std::map<const char*, Range> ranges;
};

MemoryMap& memoryMap();

// A write into the slack around an allocation: fault 700 with words; the slack is made whole again.
Fault brokenCanary();

}  // namespace sim
