// How a block ends early, and what is said about it.
#include <csignal>
#include <cstdio>

#include "device/block.h"

namespace sim::device {
namespace {

std::string triple(const unsigned (&values)[3]) {
  char text[48];
  snprintf(text, sizeof text, "(%u,%u,%u)", values[0], values[1], values[2]);
  return text;
}

}  // namespace

std::string Block::where(const CairnThread& thread) const {
  return "block=" + triple(thread.blockIndex) + " thread=" + triple(thread.threadIndex);
}

void Block::crashed(int signal, int signalCode, const void* address) { crash_ = {signal, signalCode, address}; }

void* Block::emergencyStack() {
  const auto top = reinterpret_cast<uintptr_t>(emergency_.get() + kEmergencyBytes);
  return reinterpret_cast<void*>((top & ~uintptr_t{15}) - 8);
}

void Block::abandon() {
  void* dead;
  cairn_sim_switch(&dead, running()->main_);
  __builtin_unreachable();
}

Fault Block::crashFault() const {
  const std::string at = ", " + where(*current_);
  if (crash_.signal == SIGFPE) return {719, "integer division by zero (a GPU would give any value)" + at};
  if (crash_.signal == SIGILL) return {719, "an impossible place was reached" + at};
  if (crash_.code == SI_TKILL) return {702, "ran longer than CAIRN_SIM_TIMEOUT allows" + at};
  if (fibers_.isOverflow(crash_.address)) return {719, "stack overflow" + at};
  // The processor gives no address when an aligned vector load meets an address that isn't.
  if (crash_.code == SI_KERNEL) return {716, "misaligned or impossible address" + at};
  return {700, "illegal address: " + describeAddress(crash_.address) + at};
}

std::string Block::deadlock() const {
  unsigned atBarrier = 0, atWarp = 0, line = 0;
  const Thread* stuck = nullptr;
  for (unsigned i = 0; i < count_; i++) {
    const Thread& thread = threads_[i];
    if (thread.state == State::AtBarrier) {
      atBarrier++;
      line = static_cast<unsigned>(thread.barrierLine);
    } else if (thread.state == State::AtWarp) {
      atWarp++;
    } else {
      continue;
    }
    if (stuck == nullptr) stuck = &thread;
  }
  std::string text = "deadlock: " + std::to_string(atBarrier) + " threads wait at __syncthreads";
  if (atBarrier > 0) text += " (line " + std::to_string(line) + ")";
  text += ", " + std::to_string(atWarp) + " at a warp operation that not all lanes of its mask reach";
  return stuck == nullptr ? text : text + ", first " + where(*stuck);
}

}  // namespace sim::device
