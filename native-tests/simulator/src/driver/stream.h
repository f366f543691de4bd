// A queue of work with a worker of its own, in order. Work is named by its ticket: 1, 2, 3 … in this stream.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "context.h"
#include "timeline.h"
#include "work.h"

namespace sim {

class Capture;

// A point in a stream: passed once the work of this ticket and all before it are done.
struct Mark {
  std::shared_ptr<Stream> stream;
  uint64_t ticket;
};

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  enum class Role { ordinary, legacy, ofThread };

  Stream(ContextPointer context, Role role, unsigned flags, int priority);

  const ContextPointer context;
  const Role role;
  const unsigned flags;
  const int priority;
  const uint64_t number;
  const std::string name;

  // Waits for the legacy default stream, and is waited for by it.
  bool blocking() const { return role != Role::legacy && !(flags & CU_STREAM_NON_BLOCKING); }

  uint64_t push(WorkPointer work, std::vector<Mark> after);
  uint64_t lastTicket() const;
  bool passed(uint64_t ticket) const;
  void wait(uint64_t ticket) const;

  // The end, in logical time, of all that ran so far; moved by the worker alone.
  std::atomic<uint64_t> tick{0};

  // Takes no more work; the worker ends once it has done what it has.
  void close();

  std::shared_ptr<Capture> capture;  // guarded by captureMutex(); null: work runs, set: work is noted down

 private:
  struct Entry {
    WorkPointer work;
    std::vector<Mark> after;
    Issued issued;
  };
  void serve();
  void beLate();

  mutable std::mutex mutex;
  std::condition_variable arrived;
  mutable std::condition_variable progressed;
  std::deque<Entry> queue;
  uint64_t pushed = 0;
  uint64_t finished = 0;
  uint64_t lateness;
  bool started = false;
  bool closed = false;
};

using StreamPointer = std::shared_ptr<Stream>;

// What a handle means in the current context: the default streams (0, 1, 2), or CUDA_ERROR_INVALID_HANDLE.
StreamPointer streamOf(CUstream handle);

// The same for calls that take streams of other contexts too.
StreamPointer anyStream(CUstream handle);

// Gives work to a stream, or notes it down while the stream captures. The ticket is 0 when it was noted down.
uint64_t issue(const StreamPointer& stream, WorkPointer work);

// Issues, waits and fails if the context is lost then; CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED while the stream captures.
void issueAndWait(const StreamPointer& stream, WorkPointer work);

}  // namespace sim
