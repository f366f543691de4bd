#include "event.h"

#include <atomic>

#include "stream.h"
#include "trace.h"

namespace sim {

static uint64_t nextMomentNumber() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

Moment::Moment() : number(nextMomentNumber()) {}

void Moment::reach(uint64_t tick) {
  std::lock_guard<std::mutex> lock(mutex);
  reached = tick;
}

uint64_t Moment::tick() const {
  std::lock_guard<std::mutex> lock(mutex);
  return reached;
}

void Moment::pass() {
  std::lock_guard<std::mutex> lock(mutex);
  at = nowNanos();
  isDone = true;
  done.notify_all();
}

bool Moment::passed() const {
  std::lock_guard<std::mutex> lock(mutex);
  return isDone;
}

void Moment::wait() const {
  std::unique_lock<std::mutex> lock(mutex);
  done.wait(lock, [&] { return isDone; });
}

int64_t Moment::nanos() const {
  std::lock_guard<std::mutex> lock(mutex);
  return at;
}

MomentPointer Event::begin() {
  std::lock_guard<std::mutex> lock(mutex);
  latest = std::make_shared<Moment>();
  return latest;
}

MomentPointer Event::moment() const {
  std::lock_guard<std::mutex> lock(mutex);
  return latest;
}

namespace {

class RecordWork : public Work {
 public:
  explicit RecordWork(MomentPointer moment) : recorded(std::move(moment)) {}
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_EVENT_RECORD; }
  std::string what() const override { return "event record"; }
  const Moment* moment() const override { return recorded.get(); }
  Fault run(Stream& stream) const override {
    recorded->reach(stream.tick);
    return {};
  }
  void settle(CUresult) const override { recorded->pass(); }

 private:
  const MomentPointer recorded;
};

class WaitWork : public Work {
 public:
  explicit WaitWork(MomentPointer moment) : awaited(std::move(moment)) {}
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_WAIT_EVENT; }
  std::string what() const override { return "event wait"; }
  const Moment* moment() const override { return awaited.get(); }
  Fault run(Stream&) const override {
    awaited->wait();
    return {};
  }

 private:
  const MomentPointer awaited;
};

class NoWork : public Work {
 public:
  CUgraphNodeType type() const override { return CU_GRAPH_NODE_TYPE_EMPTY; }
  std::string what() const override { return "nothing"; }
  Fault run(Stream&) const override { return {}; }
};

}  // namespace

WorkPointer recordWork(MomentPointer moment) { return std::make_shared<RecordWork>(std::move(moment)); }

// An event that was never recorded has happened already.
WorkPointer waitWork(MomentPointer moment) {
  if (!moment) return std::make_shared<NoWork>();
  return std::make_shared<WaitWork>(std::move(moment));
}

EventNodeWork::EventNodeWork(CUgraphNodeType type, CUevent handle, EventPointer event)
    : handle(handle), nodeType(type), event(std::move(event)) {}

std::string EventNodeWork::what() const {
  return nodeType == CU_GRAPH_NODE_TYPE_EVENT_RECORD ? "event record" : "event wait";
}

WorkPointer EventNodeWork::armed(const WorkPointer&) const {
  return nodeType == CU_GRAPH_NODE_TYPE_EVENT_RECORD ? recordWork(event->begin()) : waitWork(event->moment());
}

}  // namespace sim
