#include "device/fiber.h"

#include <sys/mman.h>

#include <cstdint>

asm(R"(
  .text
  .globl cairn_sim_switch
  .hidden cairn_sim_switch
  .type cairn_sim_switch, @function
cairn_sim_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size cairn_sim_switch, .-cairn_sim_switch

  .globl cairn_sim_enter
  .hidden cairn_sim_enter
  .type cairn_sim_enter, @function
cairn_sim_enter:
  pushq %r15
  movq %rsi, %r15
  movq %rdi, %rax
  movq %rdx, %rdi
  call *%rax
  popq %r15
  ret
  .size cairn_sim_enter, .-cairn_sim_enter
)");

namespace sim::device {
namespace {

constexpr size_t kStackBytes = 256 << 10;
constexpr size_t kGuardBytes = 4096;
constexpr size_t kSavedRegisters = 6;

// Stacks of equal size would fight for the same cache sets; their tops are spread over 64 KiB.
size_t colour(int fiber) { return static_cast<size_t>(fiber) * (4096 + 320) & 0xffc0; }

}  // namespace

FiberStacks::~FiberStacks() {
  for (char* stack : stacks_) munmap(stack, kStackBytes);
}

int FiberStacks::take(void (*entry)()) {
  if (free_.empty()) {
    void* mapped = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (mapped == MAP_FAILED) return -1;
    mprotect(mapped, kGuardBytes, PROT_NONE);
    free_.push_back(static_cast<int>(stacks_.size()));
    stacks_.push_back(static_cast<char*>(mapped));
    pointers_.push_back(nullptr);
  }
  const int fiber = free_.back();
  free_.pop_back();
  auto* top = reinterpret_cast<void**>(stacks_[static_cast<size_t>(fiber)] + kStackBytes - colour(fiber));
  *--top = nullptr;  // stands for the return address, so that entry finds its stack aligned as after a call
  *--top = reinterpret_cast<void*>(entry);
  for (size_t i = 0; i < kSavedRegisters; i++) *--top = nullptr;
  pointers_[static_cast<size_t>(fiber)] = top;
  return fiber;
}

void FiberStacks::giveBackAll() {
  free_.clear();
  for (size_t i = stacks_.size(); i-- > 0;) free_.push_back(static_cast<int>(i));
}

bool FiberStacks::isOverflow(const void* address) const {
  const auto at = reinterpret_cast<uintptr_t>(address);
  for (char* stack : stacks_) {
    if (at - reinterpret_cast<uintptr_t>(stack) < kGuardBytes) return true;
  }
  return false;
}

}  // namespace sim::device
