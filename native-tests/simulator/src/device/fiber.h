// Fibers: stacks that one OS thread switches between by hand, in some nanoseconds (ucontext would make system calls).
#pragma once
#include <cstddef>
#include <vector>

struct CairnThread;

// Saves the callee's registers on the stack that is left, its pointer at *leaving, and goes on where `entered` was
// left.
extern "C" void cairn_sim_switch(void** leaving, void* entered);

// Calls invoke(arguments) with r15 = thread, as compiled kernels expect it.
extern "C" void cairn_sim_enter(void (*invoke)(void**), CairnThread* thread, void** arguments);

namespace sim::device {

// The stacks of one block's threads, made when first wanted and kept. Not thread safe: one for each block runner.
class FiberStacks {
 public:
  FiberStacks() = default;
  ~FiberStacks();
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;

  // A free stack, prepared so that a switch to stackPointer(it) calls `entry`, which must never return. -1: no memory.
  int take(void (*entry)());
  void giveBack(int fiber) { free_.push_back(fiber); }
  void giveBackAll();

  void*& stackPointer(int fiber) { return pointers_[static_cast<size_t>(fiber)]; }

  // Whether an address lies in a guard page below one of the stacks.
  bool isOverflow(const void* address) const;

 private:
  std::vector<char*> stacks_;
  std::vector<void*> pointers_;
  std::vector<int> free_;
};

}  // namespace sim::device
