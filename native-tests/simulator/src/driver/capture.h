// Stream capture: work given to a stream becomes nodes of a graph and does not run. Other streams join by waiting for
// an event that was recorded in the capture. One lock guards all captures: they are rare and short.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "event.h"
#include "graph.h"
#include "stream.h"

namespace sim {

class Capture {
 public:
  Capture(StreamPointer origin, CUstreamCaptureMode mode, uint64_t id);

  const StreamPointer origin;
  const CUstreamCaptureMode mode;
  const uint64_t id;
  const std::thread::id thread;
  const GraphPointer graph;
  bool invalid = false;

  // The nodes that the next work of each taking part comes after.
  std::map<StreamPointer, std::vector<NodePointer>> frontier;

  // Whether all nodes that other streams captured come before the origin's frontier.
  bool joined() const;
};

using CapturePointer = std::shared_ptr<Capture>;

std::mutex& captureMutex();

CUstreamCaptureMode exchangeMode(CUstreamCaptureMode mode);  // of the calling thread

void beginCapture(const StreamPointer& stream, CUstreamCaptureMode mode);
GraphPointer endCapture(const StreamPointer& stream);
CUstreamCaptureStatus statusOf(const StreamPointer& stream, uint64_t* id);

// Notes the work down if the stream captures; false: it is to run. Fails where the rules of capture forbid the work.
bool captured(const StreamPointer& stream, const WorkPointer& work);

// An event in a stream that captures stands for a place in the graph. False: neither captures.
bool recordedInCapture(const StreamPointer& stream, const EventPointer& event);
bool waitedInCapture(const StreamPointer& stream, const EventPointer& event);
void refuseCaptured(const EventPointer& event);

// Calls that can't be part of a graph: each spoils the captures that forbid it, and fails.
void refuseWhileCapturing();
void refuseIfCapturing(const StreamPointer& stream);
void refuseWhileContextCaptures(const Context& context);

// Ends the captures of a context that is being destroyed, or of one stream.
void dropCaptures(const Context& context);
void dropCapture(const StreamPointer& stream);

}  // namespace sim
