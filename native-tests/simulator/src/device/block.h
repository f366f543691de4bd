// Runs the threads of one block on the calling OS thread: each as a plain call until it waits, then as a fiber.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/fiber.h"
#include "device/order.h"
#include "device/warp.h"
#include "driver/grid_runner.h"
#include "shim/cairn_kernel_abi.h"

namespace sim::device {

constexpr unsigned kMaxBlockThreads = 1024;
constexpr size_t kEmergencyBytes = 64 << 10;

// One launch as the block runner needs it.
struct Launch {
  const CairnKernelEntry* entry;
  LaunchShape shape;
  void* const* arguments;
  void* dynamicShared;
  Order order;
  bool notesAtomics;
};

class Block {
 public:
  Block();

  // Takes up a launch, which must outlive its blocks.
  void begin(const Launch& launch);

  // Runs one block of it; answers what went wrong. The runner can be used again after a fault.
  Fault run(const unsigned (&index)[3], uint64_t number);

  // The block that runs on this OS thread now, or null: what a signal handler asks first.
  static Block* running();

  // Called by the signal handler: ends the block as if the running thread had asked for it. The handler then has to
  // return to `abandon` on the stack that emergencyStack names.
  void crashed(int signal, int signalCode, const void* address);
  [[noreturn]] static void abandon();
  void* emergencyStack();

  // The calls of compiled kernels.
  int barrier(CairnThread* self, int line, int vote, int predicate);
  uint64_t meet(CairnThread* self, unsigned mask, int meeting, uint64_t value, unsigned source);
  [[noreturn]] void fail(int code, std::string message);

 private:
  enum class State : uint8_t { Ready, AtBarrier, AtWarp, Done };
  struct Thread : CairnThread {
    State state;
    int fiber;
    int barrierLine;
  };
  struct Barrier {
    unsigned arrived = 0, positive = 0;
    int line = 0;
    int vote = 0;
    int results[4] = {};
  };
  struct Crash {
    int signal = 0, code = 0;
    const void* address = nullptr;
  };

  static void fiberMain();
  void arrange(uint64_t number);
  void makeReady(Thread& thread);
  void wait(Thread& thread);
  void* next();
  void finished(Thread& thread);
  bool openBarrier();
  void releaseWarp(Warp& warp, unsigned lanes, unsigned warpNumber, const Thread* self);
  Fault crashFault() const;
  std::string deadlock() const;
  std::string where(const CairnThread& thread) const;

  FiberStacks fibers_;
  std::vector<Thread> threads_;
  std::vector<uint16_t> order_;
  std::vector<uint16_t> ready_;
  Warp warps_[kMaxBlockThreads / kWarpLanes];
  std::unique_ptr<char[]> emergency_;
  const Launch* launch_ = nullptr;
  unsigned index_[3] = {};
  Thread* current_ = nullptr;
  void* main_ = nullptr;
  Barrier barrier_;
  Crash crash_;
  Fault fault_;
  unsigned count_ = 0, started_ = 0, living_ = 0;
  uint32_t readyHead_ = 0, readyTail_ = 0;
  int startingFiber_ = -1;
};

// The table through which a kernel reaches its block.
const CairnDeviceCalls* deviceCalls();

}  // namespace sim::device
