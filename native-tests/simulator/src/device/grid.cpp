#include "device/grid.h"

#include <memory>
#include <mutex>

#include "device/block.h"
#include "device/shared_memory.h"
#include "device/signal_guard.h"
#include "device/watchdog.h"

namespace sim::device {
namespace {

struct Runner {
  Block block;
  DynamicShared shared;
};

// Runners are kept for the next launch: a thousand stacks are not made again each time.
class RunnerPool {
 public:
  std::unique_ptr<Runner> take() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (idle_.empty()) return std::make_unique<Runner>();
    auto runner = std::move(idle_.back());
    idle_.pop_back();
    return runner;
  }
  void giveBack(std::unique_ptr<Runner> runner) {
    std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(std::move(runner));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Runner>> idle_;
};

// Never destroyed: streams may still run while the process ends.
RunnerPool& pool() {
  static auto* pool = new RunnerPool;
  return *pool;
}

Fault runBlocks(Runner& runner, const GridProgram& program, const Launch& launch, char* anchor) {
  const LaunchShape& shape = launch.shape;
  const uint64_t blocks = uint64_t{shape.gridX} * shape.gridY * shape.gridZ;
  const Walk walk(launch.order, blocks);
  runner.block.begin(launch);
  for (uint64_t step = 0; step < blocks; step++) {
    const uint64_t number = walk.at(step);
    for (const SharedRange& range : program.staticShared) poison(anchor + range.fromAnchor, range.bytes);
    poison(launch.dynamicShared, shape.sharedBytes);
    const unsigned index[3] = {static_cast<unsigned>(number % shape.gridX),
                               static_cast<unsigned>(number / shape.gridX % shape.gridY),
                               static_cast<unsigned>(number / shape.gridX / shape.gridY)};
    Fault fault = runner.block.run(index, number);
    if (fault.code != 0) return fault;
  }
  return {};
}

}  // namespace

Fault runGrid(const GridProgram& program, const LaunchShape& shape, void* const* arguments, const Order& order,
              bool notesAtomics) {
  guardThisThread();
  auto runner = pool().take();
  void* dynamic = runner->shared.start(shape.sharedBytes);
  auto* anchor = static_cast<char*>(program.bindShared(dynamic));
  const Launch launch = {program.entry, shape, arguments, dynamic, order, notesAtomics};
  Fault fault;
  {
    const Watched watched;
    fault = runBlocks(*runner, program, launch, anchor);
  }
  pool().giveBack(std::move(runner));
  return fault;
}

}  // namespace sim::device
