// An event stands for the latest moment that was recorded in it. Who waits, waits for the moment that the event stood
// for when he asked, whatever becomes of the event after.
#pragma once
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "context.h"
#include "work.h"

namespace sim {

class Capture;
struct GraphNode;

class Moment {
 public:
  Moment();
  const uint64_t number;  // 1, 2, 3 … in the process

  void pass();
  void reach(uint64_t tick);  // in logical time; before it passes
  uint64_t tick() const;
  bool passed() const;
  void wait() const;
  int64_t nanos() const;

 private:
  mutable std::mutex mutex;
  mutable std::condition_variable done;
  bool isDone = false;
  int64_t at = 0;
  uint64_t reached = 0;
};

using MomentPointer = std::shared_ptr<Moment>;

class Event {
 public:
  Event(ContextPointer context, unsigned flags) : context(std::move(context)), flags(flags) {}

  const ContextPointer context;
  const unsigned flags;

  MomentPointer begin();            // a new moment, which the event stands for from now on
  MomentPointer moment() const;     // null: never recorded

  // Recorded in a stream that captured: then it stands for nodes of that graph. Guarded by captureMutex().
  std::shared_ptr<Capture> capture;
  std::vector<std::shared_ptr<GraphNode>> nodes;

 private:
  mutable std::mutex mutex;
  MomentPointer latest;
};

using EventPointer = std::shared_ptr<Event>;

// Work that records a given moment, or waits for one.
WorkPointer recordWork(MomentPointer moment);
WorkPointer waitWork(MomentPointer moment);

// Nodes of a graph that record and wait for an event: each launch means the event as it is then.
class EventNodeWork : public Work {
 public:
  EventNodeWork(CUgraphNodeType type, CUevent handle, EventPointer event);
  const CUevent handle;
  CUgraphNodeType type() const override { return nodeType; }
  std::string what() const override;
  Fault run(Stream&) const override { return {}; }
  WorkPointer armed(const WorkPointer& self) const override;

 private:
  const CUgraphNodeType nodeType;
  const EventPointer event;
};

}  // namespace sim
