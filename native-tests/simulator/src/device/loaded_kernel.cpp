#include "device/loaded_module.h"
#include "device/settings.h"
#include "device/block.h"
#include "device/shared_memory.h"

namespace sim {
namespace {

constexpr unsigned kMaxBlockZ = 64, kMaxGridX = 0x7fffffff, kMaxGridYZ = 65535;

std::string text(const LaunchShape& shape) {
  auto triple = [](unsigned x, unsigned y, unsigned z) {
    return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
  };
  return "grid=" + triple(shape.gridX, shape.gridY, shape.gridZ) +
         " block=" + triple(shape.blockX, shape.blockY, shape.blockZ) +
         " sharedBytes=" + std::to_string(shape.sharedBytes);
}

bool inRange(unsigned value, unsigned most) { return value >= 1 && value <= most; }

size_t sum(const std::vector<SharedRange>& ranges) {
  size_t bytes = 0;
  for (const SharedRange& range : ranges) bytes += range.bytes;
  return bytes;
}

}  // namespace

LoadedKernel::LoadedKernel(std::string name, GridProgram program, const std::vector<MemoryRange>& variables)
    : name_(std::move(name)), program_(std::move(program)), variables_(variables) {
  const unsigned* sizes = program_.entry->parameterSizes;
  parameterSizes_.assign(sizes, sizes + program_.entry->parameterCount);
}

Fault LoadedKernel::check(const LaunchShape& shape) const {
  if (!deviceSettings().mistake.empty()) return {1, deviceSettings().mistake};
  const bool blockFits = inRange(shape.blockX, kMaxBlockThreads) && inRange(shape.blockY, kMaxBlockThreads) &&
                         inRange(shape.blockZ, kMaxBlockZ) &&
                         shape.blockX * shape.blockY * shape.blockZ <= kMaxBlockThreads;
  const bool gridFits = inRange(shape.gridX, kMaxGridX) && inRange(shape.gridY, kMaxGridYZ) &&
                        inRange(shape.gridZ, kMaxGridYZ);
  if (!blockFits || !gridFits) return {1, "bad launch shape: kernel=" + name_ + " " + text(shape)};
  const unsigned threads = shape.blockX * shape.blockY * shape.blockZ;
  const unsigned bound = program_.entry->maxThreads;
  if (bound != 0 && threads > bound) {
    return {701, "more threads than __launch_bounds__: kernel=" + name_ + " bound=" + std::to_string(bound) + " " +
                     text(shape)};
  }
  const size_t shared = shape.sharedBytes + sum(program_.staticShared);
  if (shared > kMaxSharedBytes) {
    return {1, "too much shared memory: kernel=" + name_ + " most=" + std::to_string(kMaxSharedBytes) + " static=" +
                   std::to_string(sum(program_.staticShared)) + " " + text(shape)};
  }
  return {};
}

Fault LoadedKernel::run(const LaunchShape& shape, void* const* arguments) {
  const DeviceSettings& settings = deviceSettings();
  Fault fault = check(shape);
  if (fault.code != 0) return fault;
  if (settings.checksRaces) {
    fault = checkRaces(name_, variables_, [&](const Order& order) {
      return runGrid(program_, shape, arguments, order, true);
    });
  } else {
    fault = runGrid(program_, shape, arguments, settings.order.salted(hashOf(name_)), false);
  }
  if (fault.code != 0) fault.message = "kernel=" + name_ + ": " + fault.message;
  return fault;
}

}  // namespace sim
