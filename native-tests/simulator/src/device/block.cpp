#include "device/block.h"

namespace sim::device {
namespace {

// Initial-exec: a signal handler reads it, which must not allocate.
__thread Block* runningBlock __attribute__((tls_model("initial-exec"))) = nullptr;

constexpr uint32_t kRing = kMaxBlockThreads - 1;

}  // namespace

Block::Block()
    : threads_(kMaxBlockThreads),
      order_(kMaxBlockThreads),
      ready_(kMaxBlockThreads),
      emergency_(new char[kEmergencyBytes]) {}

Block* Block::running() { return runningBlock; }

void Block::begin(const Launch& launch) {
  launch_ = &launch;
  const LaunchShape& shape = launch.shape;
  count_ = shape.blockX * shape.blockY * shape.blockZ;
  unsigned x = 0, y = 0, z = 0;
  for (unsigned i = 0; i < count_; i++) {
    static_cast<CairnThread&>(threads_[i]) = {
        {x, y, z}, {}, {shape.blockX, shape.blockY, shape.blockZ}, {shape.gridX, shape.gridY, shape.gridZ},
        i, i % kWarpLanes, i / kWarpLanes, launch.notesAtomics, launch.dynamicShared, deviceCalls()};
    if (++x == shape.blockX) {
      x = 0;
      if (++y == shape.blockY) {
        y = 0;
        ++z;
      }
    }
  }
  arrange(0);
}

void Block::arrange(uint64_t number) {
  const Walk walk(launch_->order.salted(number), count_);
  for (unsigned i = 0; i < count_; i++) order_[i] = static_cast<uint16_t>(walk.at(i));
}

Fault Block::run(const unsigned (&index)[3], uint64_t number) {
  if (launch_->order.kind == Order::Kind::Random) arrange(number);
  for (int i = 0; i < 3; i++) index_[i] = index[i];
  started_ = 0;
  living_ = count_;
  readyHead_ = readyTail_ = 0;
  barrier_ = {};
  crash_ = {};
  fault_ = {};
  for (unsigned first = 0; first < count_; first += kWarpLanes) warps_[first / kWarpLanes].start(count_ - first);
  startingFiber_ = fibers_.take(&Block::fiberMain);
  if (startingFiber_ < 0) return {701, "no memory for the stack of a thread"};
  runningBlock = this;
  cairn_sim_switch(&main_, fibers_.stackPointer(startingFiber_));
  runningBlock = nullptr;
  if (crash_.signal != 0) fault_ = crashFault();
  if (fault_.code == 0 && living_ > 0) fault_ = {719, deadlock()};
  if (fault_.code != 0) fibers_.giveBackAll();
  return fault_;
}

// A fiber runs one thread after another for as long as none of them waits.
void Block::fiberMain() {
  Block& block = *runningBlock;
  const int fiber = block.startingFiber_;
  while (block.started_ < block.count_) {
    Thread& thread = block.threads_[block.order_[block.started_++]];
    for (int i = 0; i < 3; i++) thread.blockIndex[i] = block.index_[i];
    thread.fiber = fiber;
    thread.state = State::Ready;
    block.current_ = &thread;
    cairn_sim_enter(block.launch_->entry->invoke, &thread, const_cast<void**>(block.launch_->arguments));
    block.finished(thread);
  }
  block.fibers_.giveBack(fiber);
  void* dead;
  cairn_sim_switch(&dead, block.next());
  __builtin_unreachable();
}

void Block::makeReady(Thread& thread) {
  thread.state = State::Ready;
  ready_[readyTail_++ & kRing] = static_cast<uint16_t>(thread.linear);
}

// The fiber that goes on: a thread that may continue, one that has not begun, or else the caller of run.
void* Block::next() {
  if (readyHead_ != readyTail_) {
    current_ = &threads_[ready_[readyHead_++ & kRing]];
    return fibers_.stackPointer(current_->fiber);
  }
  if (started_ == count_) return main_;
  startingFiber_ = fibers_.take(&Block::fiberMain);
  if (startingFiber_ >= 0) return fibers_.stackPointer(startingFiber_);
  fault_ = {701, "no memory for the stack of a thread"};
  return main_;
}

void Block::wait(Thread& thread) {
  void* target = next();
  if (current_ == &thread && thread.state == State::Ready) return;
  cairn_sim_switch(&fibers_.stackPointer(thread.fiber), target);
}

void Block::finished(Thread& thread) {
  thread.state = State::Done;
  living_--;
  Warp& warp = warps_[thread.warp];
  warp.live &= ~(1u << thread.lane);
  for (unsigned lanes = warp.waiting; lanes != 0; lanes &= lanes - 1) {
    const unsigned complete = warp.complete(warp.visits[__builtin_ctz(lanes)].mask);
    if (complete == 0) continue;
    releaseWarp(warp, complete, thread.warp, nullptr);
    break;
  }
  openBarrier();
}

bool Block::openBarrier() {
  if (barrier_.arrived == 0 || barrier_.arrived != living_) return false;
  barrier_.results[CAIRN_BARRIER] = 0;
  barrier_.results[CAIRN_BARRIER_COUNT] = static_cast<int>(barrier_.positive);
  barrier_.results[CAIRN_BARRIER_AND] = barrier_.positive == barrier_.arrived;
  barrier_.results[CAIRN_BARRIER_OR] = barrier_.positive != 0;
  barrier_.arrived = barrier_.positive = 0;
  for (unsigned i = 0; i < count_; i++) {
    Thread& thread = threads_[order_[i]];
    if (thread.state == State::AtBarrier) makeReady(thread);
  }
  return true;
}

int Block::barrier(CairnThread* self, int line, int vote, int predicate) {
  Thread& thread = static_cast<Thread&>(*self);
  if (barrier_.arrived > 0 && (barrier_.line != line || barrier_.vote != vote)) {
    fail(719, "threads of a block wait at different barriers: lines " + std::to_string(barrier_.line) + " and " +
                  std::to_string(line) + ", " + where(thread));
  }
  barrier_.line = line;
  barrier_.vote = vote;
  barrier_.arrived++;
  barrier_.positive += predicate != 0;
  thread.barrierLine = line;
  thread.state = State::AtBarrier;
  openBarrier();
  wait(thread);
  return barrier_.results[vote];
}

uint64_t Block::meet(CairnThread* self, unsigned mask, int meeting, uint64_t value, unsigned source) {
  Thread& thread = static_cast<Thread&>(*self);
  if ((mask >> thread.lane & 1) == 0) {
    fail(719, "a lane calls a warp operation whose mask does not name it: mask=" + std::to_string(mask) + ", " +
                  where(thread));
  }
  Warp& warp = warps_[thread.warp];
  warp.visits[thread.lane] = {mask, meeting, source % kWarpLanes, value, 0};
  warp.waiting |= 1u << thread.lane;
  thread.state = State::AtWarp;
  const unsigned complete = warp.complete(mask);
  if (complete != 0) {
    releaseWarp(warp, complete, thread.warp, &thread);
  } else {
    wait(thread);
  }
  return warp.visits[thread.lane].result;
}

// `self` is not queued: it goes on at once.
void Block::releaseWarp(Warp& warp, unsigned lanes, unsigned warpNumber, const Thread* self) {
  if (!warp.conclude(lanes)) {
    fail(719, "lanes of a warp meet for different operations: warp=" + std::to_string(warpNumber) + ", " +
                  where(*current_));
  }
  const bool reverse = launch_->order.kind == Order::Kind::Reverse;
  for (unsigned i = 0; i < kWarpLanes; i++) {
    const unsigned lane = reverse ? kWarpLanes - 1 - i : i;
    if ((lanes >> lane & 1) == 0) continue;
    Thread& thread = threads_[warpNumber * kWarpLanes + lane];
    if (&thread == self) {
      thread.state = State::Ready;
    } else {
      makeReady(thread);
    }
  }
}

void Block::fail(int code, std::string message) {
  fault_ = {code, std::move(message)};
  void* dead;
  cairn_sim_switch(&dead, main_);
  __builtin_unreachable();
}

}  // namespace sim::device
