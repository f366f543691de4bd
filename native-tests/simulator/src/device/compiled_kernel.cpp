#include "device/compiled_module.h"
#include "device/settings.h"
#include "device/block.h"
#include "device/shared_memory.h"

namespace sim::device {
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

}  // namespace

CompiledKernel::CompiledKernel(std::string name, GridProgram program, const std::vector<MemoryRange>& variables)
    : name_(std::move(name)), program_(std::move(program)), variables_(variables) {
  const unsigned* sizes = program_.entry->parameterSizes;
  parameterSizes_.assign(sizes, sizes + program_.entry->parameterCount);
}

unsigned CompiledKernel::maxThreads() const {
  return program_.entry->maxThreads == 0 ? kMaxBlockThreads : program_.entry->maxThreads;
}

size_t CompiledKernel::staticSharedBytes() const {
  size_t bytes = 0;
  for (const SharedRange& range : program_.staticShared) bytes += range.bytes;
  return bytes;
}

Fault CompiledKernel::check(const LaunchShape& shape) const {
  if (!deviceSettings().mistake.empty()) return {1, deviceSettings().mistake};
  const bool blockFits = inRange(shape.blockX, kMaxBlockThreads) && inRange(shape.blockY, kMaxBlockThreads) &&
                         inRange(shape.blockZ, kMaxBlockZ) &&
                         shape.blockX * shape.blockY * shape.blockZ <= kMaxBlockThreads;
  const bool gridFits = inRange(shape.gridX, kMaxGridX) && inRange(shape.gridY, kMaxGridYZ) &&
                        inRange(shape.gridZ, kMaxGridYZ);
  if (!blockFits || !gridFits) return {1, "bad launch shape: kernel=" + name_ + " " + text(shape)};
  const unsigned threads = shape.blockX * shape.blockY * shape.blockZ;
  if (threads > maxThreads()) {
    return {701, "more threads than __launch_bounds__: kernel=" + name_ + " bound=" + std::to_string(maxThreads()) +
                     " " + text(shape)};
  }
  const size_t shared = shape.sharedBytes + staticSharedBytes();
  if (shared > kMaxSharedBytes) {
    return {1, "too much shared memory: kernel=" + name_ + " most=" + std::to_string(kMaxSharedBytes) + " static=" +
                   std::to_string(staticSharedBytes()) + " " + text(shape)};
  }
  return {};
}

Fault CompiledKernel::run(const LaunchShape& shape, void* const* arguments) {
  const DeviceSettings& settings = deviceSettings();
  Fault fault = check(shape);
  if (fault.code != 0) return fault;
  if (settings.checksRaces) {
    fault = checkRaces(variables_, [&](const Order& order) {
      return runGrid(program_, shape, arguments, order, true);
    });
  } else {
    fault = runGrid(program_, shape, arguments, settings.order.salted(hashOf(name_)), false);
  }
  if (fault.code != 0) fault.message = "kernel=" + name_ + ": " + fault.message;
  return fault;
}

}  // namespace sim::device
