#include "stream.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "capture.h"
#include "current.h"
#include "registry.h"
#include "settings.h"

namespace sim {

static uint64_t nextStreamNumber() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

static std::string nameOf(Stream::Role role, uint64_t number) {
  const char* kind = role == Stream::Role::legacy ? "legacy-" : role == Stream::Role::ofThread ? "thread-" : "stream-";
  return kind + std::to_string(number);
}

Stream::Stream(ContextPointer context, Role role, unsigned flags, int priority)
    : context(std::move(context)), role(role), flags(flags), priority(priority), number(nextStreamNumber()),
      name(nameOf(role, number)), lateness(number * 0x9e3779b97f4a7c15u) {}

uint64_t Stream::push(WorkPointer work, std::vector<Mark> after) {
  std::lock_guard<std::mutex> lock(mutex);
  require(!closed, CUDA_ERROR_INVALID_HANDLE, "the stream is destroyed");
  if (!started) {
    // Signals are the business of the program's own threads; a worker gets only the faults that it causes itself.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread([self = shared_from_this()] { self->serve(); }).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    started = true;
  }
  queue.push_back({std::move(work), std::move(after), issuedNow()});
  arrived.notify_one();
  return ++pushed;
}

uint64_t Stream::lastTicket() const {
  std::lock_guard<std::mutex> lock(mutex);
  return pushed;
}

bool Stream::passed(uint64_t ticket) const {
  std::lock_guard<std::mutex> lock(mutex);
  return finished >= ticket;
}

void Stream::wait(uint64_t ticket) const {
  std::unique_lock<std::mutex> lock(mutex);
  progressed.wait(lock, [&] { return finished >= ticket; });
}

void Stream::close() {
  std::lock_guard<std::mutex> lock(mutex);
  closed = true;
  arrived.notify_one();
}

// Moves work about in time, so that who forgot to wait is found out more often.
void Stream::beLate() {
  lateness = lateness * 6364136223846793005u + 1442695040888963407u;
  std::this_thread::sleep_for(std::chrono::microseconds((lateness >> 33) % (settings().lateMicros + 1)));
}

void Stream::serve() {
  // The faults of a kernel must reach its handler, or the process would end.
  sigset_t faults;
  sigemptyset(&faults);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigaddset(&faults, signal);
  pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
  for (;;) {
    Entry next;
    {
      std::unique_lock<std::mutex> lock(mutex);
      arrived.wait(lock, [&] { return closed || !queue.empty(); });
      if (queue.empty()) return;
      next = std::move(queue.front());
      queue.pop_front();
    }
    for (const Mark& mark : next.after) mark.stream->wait(mark.ticket);
    if (settings().lateMicros) beLate();
    tick = std::max<uint64_t>(tick, next.issued.tick);
    perform(*this, *next.work, next.issued);
    next = Entry{};  // what the work holds is let go before others learn that it is done
    std::lock_guard<std::mutex> lock(mutex);
    finished++;
    progressed.notify_all();
  }
}

StreamPointer anyStream(CUstream handle) {
  uintptr_t value = reinterpret_cast<uintptr_t>(handle);
  if (value <= CU_STREAM_LEGACY_VALUE) return current()->legacyStream();
  if (value == CU_STREAM_PER_THREAD_VALUE) return current()->streamOfThread();
  return registry().streams.at(handle);
}

StreamPointer streamOf(CUstream handle) {
  StreamPointer stream = anyStream(handle);
  require(stream->context == current(), CUDA_ERROR_INVALID_HANDLE, "the stream is of another context");
  return stream;
}

uint64_t issue(const StreamPointer& stream, WorkPointer work) {
  if (captured(stream, work)) return 0;
  return stream->context->enqueue(stream, std::move(work));
}

void issueAndWait(const StreamPointer& stream, WorkPointer work) {
  refuseIfCapturing(stream);
  stream->wait(issue(stream, std::move(work)));
  hostHasSeen(stream->tick);
  stream->context->requireAlive();
}

}  // namespace sim
