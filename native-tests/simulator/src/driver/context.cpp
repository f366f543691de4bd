#include "context.h"

#include <cstdio>

#include "abandoned.h"
#include "capture.h"
#include "device.h"
#include "failure.h"
#include "registry.h"
#include "stream.h"

namespace sim {

static std::mutex faultMutex;
static std::string& faultText = *new std::string;

std::string lastFault() {
  std::lock_guard<std::mutex> lock(faultMutex);
  return faultText;
}

CUcontext Context::make(Device& device, unsigned flags, bool primary) {
  return registry().contexts.add(std::make_shared<Context>(device, flags, primary, nextHandle() >> 4));
}

Context::Context(Device& device, unsigned flags, bool primary, uint64_t id)
    : device(device), flags(flags), primary(primary), id(id) {}

void Context::destroy(CUcontext handle) {
  auto context = registry().contexts.find(handle);
  require(context != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  context->drain();
  registry().contexts.remove(handle);
  context->release();
}

void Context::release() {
  dropCaptures(*this);
  releaseOwned(*this);
  std::lock_guard<std::mutex> lock(mutex);
  if (legacy) legacy->close();
  for (auto& entry : ofThreads) entry.second->close();
  legacy.reset();
  ofThreads.clear();
}

void Context::lose(CUresult fault, const std::string& why) {
  CUresult well = CUDA_SUCCESS;
  if (!code.compare_exchange_strong(well, fault)) return;
  fprintf(stderr, "cairn simulator: context lost: code=%d %s\n", fault, why.c_str());
  std::lock_guard<std::mutex> lock(faultMutex);
  faultText = why;
}

void Context::requireAlive() const {
  CUresult fault = lost();
  if (fault) fail(fault, "the context is lost");
}

std::vector<StreamPointer> Context::streams() {
  std::vector<StreamPointer> mine;
  for (auto& stream : registry().streams.all()) if (stream->context.get() == this) mine.push_back(stream);
  std::lock_guard<std::mutex> lock(mutex);
  for (auto& entry : ofThreads) mine.push_back(entry.second);
  std::vector<std::weak_ptr<Stream>> left;
  for (auto& weak : draining) {
    StreamPointer stream = weak.lock();
    if (!stream || stream->passed(stream->lastTicket())) continue;
    mine.push_back(stream);
    left.push_back(weak);
  }
  draining.swap(left);
  return mine;
}

void Context::keepUntilDrained(const StreamPointer& stream) {
  std::lock_guard<std::mutex> lock(mutex);
  draining.push_back(stream);
}

uint64_t Context::enqueue(const StreamPointer& stream, WorkPointer work) {
  std::lock_guard<std::mutex> order(submitting);
  std::vector<Mark> after;
  auto addPending = [&](const StreamPointer& other) {
    uint64_t ticket = other->lastTicket();
    if (!other->passed(ticket)) after.push_back({other, ticket});
  };
  if (stream->role == Stream::Role::legacy) {
    for (auto& other : streams()) if (other->blocking()) addPending(other);
  } else if (stream->blocking()) {
    StreamPointer first;
    {
      std::lock_guard<std::mutex> lock(mutex);
      first = legacy;
    }
    if (first) addPending(first);
  }
  return stream->push(std::move(work), std::move(after));
}

void Context::drain() {
  auto all = streams();
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (legacy) all.push_back(legacy);
  }
  for (auto& stream : all) {
    stream->wait(stream->lastTicket());
    hostHasSeen(stream->tick);
  }
}

void Context::synchronize() {
  drain();
  requireAlive();
}

StreamPointer Context::legacyStream() {
  std::lock_guard<std::mutex> lock(mutex);
  if (!legacy) legacy = std::make_shared<Stream>(shared_from_this(), Stream::Role::legacy, 0, 0);
  return legacy;
}

StreamPointer Context::streamOfThread() {
  std::lock_guard<std::mutex> lock(mutex);
  StreamPointer& mine = ofThreads[std::this_thread::get_id()];
  if (!mine) mine = std::make_shared<Stream>(shared_from_this(), Stream::Role::ofThread, 0, 0);
  return mine;
}

}  // namespace sim
