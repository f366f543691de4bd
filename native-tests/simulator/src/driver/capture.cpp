#include "capture.h"

#include <algorithm>
#include <atomic>

#include "capture_list.h"
#include "failure.h"
#include "handle_table.h"

namespace sim {

std::mutex& captureMutex() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

Capture::Capture(StreamPointer origin, CUstreamCaptureMode mode, uint64_t id)
    : origin(std::move(origin)), mode(mode), id(id), thread(std::this_thread::get_id()),
      graph(std::make_shared<Graph>()) {}

bool Capture::joined() const {
  auto& ends = frontier.at(origin);
  for (auto& entry : frontier) {
    for (auto& node : entry.second) {
      bool reached = std::any_of(ends.begin(), ends.end(), [&](auto& end) { return end->dependsOn(node); });
      if (!reached) return false;
    }
  }
  return true;
}

void beginCapture(const StreamPointer& stream, CUstreamCaptureMode mode) {
  requireValue(mode >= CU_CAPTURE_GLOBAL && mode <= CU_CAPTURE_RELAXED, "no such capture mode");
  require(stream->role != Stream::Role::legacy, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "the legacy default stream");
  std::lock_guard<std::mutex> lock(captureMutex());
  require(!stream->capture, CUDA_ERROR_ILLEGAL_STATE, "the stream captures already");
  auto capture = std::make_shared<Capture>(stream, mode, nextHandle() >> 4);
  capture->frontier[stream] = {};
  stream->capture = capture;
  captureList().add(capture);
}

// Under the lock: all streams run again, and events that stood for nodes keep the capture only to say so.
static void finish(const CapturePointer& capture) {
  for (auto& entry : capture->frontier) entry.first->capture.reset();
  captureList().remove(capture);
}

GraphPointer endCapture(const StreamPointer& stream) {
  std::lock_guard<std::mutex> lock(captureMutex());
  CapturePointer capture = stream->capture;
  require(capture != nullptr, CUDA_ERROR_ILLEGAL_STATE, "the stream does not capture");
  require(capture->origin == stream, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  require(capture->mode == CU_CAPTURE_RELAXED || capture->thread == std::this_thread::get_id(),
          CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  bool joined = capture->joined();
  finish(capture);
  capture->frontier.clear();
  require(!capture->invalid, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  require(joined, CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  return capture->graph;
}

CUstreamCaptureStatus statusOf(const StreamPointer& stream, uint64_t* id) {
  std::lock_guard<std::mutex> lock(captureMutex());
  if (!stream->capture) return CU_CAPTURE_NONE;
  if (id) *id = stream->capture->id;
  return stream->capture->invalid ? CU_CAPTURE_INVALIDATED : CU_CAPTURE_ACTIVE;
}

[[noreturn]] static void spoil(const CapturePointer& capture, CUresult code, const char* why) {
  capture->invalid = true;
  fail(code, why);
}

static void requireValid(const CapturePointer& capture) {
  require(!capture->invalid, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

bool captured(const StreamPointer& stream, const WorkPointer& work) {
  if (captureList().empty()) return false;
  std::lock_guard<std::mutex> lock(captureMutex());
  CapturePointer capture = stream->capture;
  if (!capture) {
    if (stream->role != Stream::Role::legacy) return false;
    for (auto& other : captureList().all()) {
      bool implicit = other->origin->blocking() && other->origin->context == stream->context;
      if (implicit) spoil(other, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "the legacy stream would wait for a capture");
    }
    return false;
  }
  requireValid(capture);
  auto& ends = capture->frontier[stream];
  ends = {capture->graph->add(work, ends)};
  return true;
}

bool recordedInCapture(const StreamPointer& stream, const EventPointer& event) {
  if (captureList().empty() && !event->capture) return false;
  std::lock_guard<std::mutex> lock(captureMutex());
  event->capture = stream->capture;
  event->nodes.clear();
  if (!stream->capture) return false;
  requireValid(stream->capture);
  event->nodes = stream->capture->frontier[stream];
  return true;
}

bool waitedInCapture(const StreamPointer& stream, const EventPointer& event) {
  if (captureList().empty() && !event->capture) return false;
  std::lock_guard<std::mutex> lock(captureMutex());
  CapturePointer capture = stream->capture, other = event->capture;
  if (!capture && !other) return false;
  if (!other) spoil(capture, CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "the event was recorded outside of the capture");
  requireValid(other);
  require(captureList().contains(other), CUDA_ERROR_CAPTURED_EVENT, "the capture of the event has ended");
  if (!capture) {
    if (stream->role == Stream::Role::legacy) spoil(other, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "the legacy stream");
    stream->capture = capture = other;
  }
  if (capture != other) {
    capture->invalid = true;
    spoil(other, CUDA_ERROR_STREAM_CAPTURE_MERGE, "two captures would become one");
  }
  auto& ends = capture->frontier[stream];
  for (auto& node : event->nodes) if (std::find(ends.begin(), ends.end(), node) == ends.end()) ends.push_back(node);
  return true;
}

void refuseCaptured(const EventPointer& event) {
  if (captureList().empty() && !event->capture) return;
  std::lock_guard<std::mutex> lock(captureMutex());
  if (event->capture) spoil(event->capture, CUDA_ERROR_CAPTURED_EVENT, "the event stands for nodes of a graph");
}

void refuseIfCapturing(const StreamPointer& stream) {
  if (captureList().empty()) return;
  std::lock_guard<std::mutex> lock(captureMutex());
  if (stream->capture) spoil(stream->capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "the stream captures");
}

void refuseWhileContextCaptures(const Context& context) {
  if (captureList().empty()) return;
  std::lock_guard<std::mutex> lock(captureMutex());
  for (auto& capture : captureList().all()) {
    if (capture->origin->context.get() == &context) {
      spoil(capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "a stream of the context captures");
    }
  }
}

void dropCaptures(const Context& context) {
  std::lock_guard<std::mutex> lock(captureMutex());
  for (auto& capture : captureList().all()) {
    if (capture->origin->context.get() == &context) finish(capture);
  }
}

void dropCapture(const StreamPointer& stream) {
  std::lock_guard<std::mutex> lock(captureMutex());
  CapturePointer capture = stream->capture;
  if (!capture) return;
  capture->invalid = true;
  if (capture->origin == stream) finish(capture);
}

}  // namespace sim
