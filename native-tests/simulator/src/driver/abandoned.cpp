#include "abandoned.h"

#include <mutex>

#include "context.h"
#include "device_memory.h"
#include "event.h"
#include "module.h"
#include "pool.h"
#include "registry.h"
#include "stream.h"

namespace sim {

static std::mutex abandonedMutex;
static std::string& abandonedLines = *new std::string;
static int lineCount = 0;

static void note(const std::string& what, size_t count) {
  if (!count) return;
  std::lock_guard<std::mutex> lock(abandonedMutex);
  abandonedLines += "abandoned with its context: " + what + " count=" + std::to_string(count) + "\n";
  lineCount += static_cast<int>(count);
}

void releaseOwned(const Context& context) {
  auto mine = [&](auto& thing) { return thing.context.get() == &context; };
  auto streams = registry().streams.removeIf(mine);
  for (auto& stream : streams) stream->close();
  size_t events = registry().events.removeIf(mine).size();
  registry().functions.removeIf([&](auto& function) { return function.module->context.get() == &context; });
  size_t modules = registry().modules.removeIf(mine).size();
  size_t pools = registry().pools.removeIf(mine).size();
  size_t memory = 0;
  for (const Range& owned : memoryMap().ownedBy(&context)) {
    if (auto range = memoryMap().take(owned.address, owned.kind)) {
      releaseRange(*range);
      memory++;
    }
  }
  if (context.lost()) return;
  note("streams", streams.size());
  note("events", events);
  note("modules", modules);
  note("pools", pools);
  note("allocations", memory);
}

std::string takeAbandoned(int& count) {
  std::lock_guard<std::mutex> lock(abandonedMutex);
  count += lineCount;
  lineCount = 0;
  return std::move(abandonedLines);
}

}  // namespace sim
