// Events. Those in a stream that captures stand for a place in the graph.
#include "capture.h"
#include "current.h"
#include "entry.h"
#include "event.h"
#include "registry.h"
#include "stream.h"

using namespace sim;

SIM_EXPORT CUresult cuEventCreate(CUevent* event, unsigned flags) {
  return entry("cuEventCreate", kWell, [&] {
    unsigned known = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
    requireValue(event && (flags & ~known) == 0, "unknown flags");
    bool needsNoTiming = (flags & CU_EVENT_INTERPROCESS) && !(flags & CU_EVENT_DISABLE_TIMING);
    requireValue(!needsNoTiming, "an event for other processes has no timing");
    *event = registry().events.add(std::make_shared<Event>(current(), flags));
  });
}

SIM_EXPORT CUresult cuEventDestroy_v2(CUevent event) {
  return entry("cuEventDestroy", kWell, [&] { registry().events.remove(event); });
}

static void record(CUevent handle, CUstream stream, unsigned flags) {
  requireValue((flags & ~CU_EVENT_RECORD_EXTERNAL) == 0, "unknown flags");
  auto event = registry().events.at(handle);
  auto target = streamOf(stream);
  require(event->context == target->context, CUDA_ERROR_INVALID_HANDLE, "event and stream of different contexts");
  if (flags & CU_EVENT_RECORD_EXTERNAL) {
    auto node = std::make_shared<EventNodeWork>(CU_GRAPH_NODE_TYPE_EVENT_RECORD, handle, event);
    require(captured(target, node), CUDA_ERROR_ILLEGAL_STATE, "external records belong into captures");
    return;
  }
  if (recordedInCapture(target, event)) return;
  issue(target, recordWork(event->begin()));
}

SIM_EXPORT CUresult cuEventRecord(CUevent event, CUstream stream) {
  return entry("cuEventRecord", kWell, [&] { record(event, stream, 0); });
}

SIM_EXPORT CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return entry("cuEventRecordWithFlags", kWell, [&] { record(event, stream, flags); });
}

SIM_EXPORT CUresult cuStreamWaitEvent(CUstream stream, CUevent handle, unsigned flags) {
  return entry("cuStreamWaitEvent", kWell, [&] {
    requireValue((flags & ~CU_EVENT_WAIT_EXTERNAL) == 0, "unknown flags");
    auto event = registry().events.at(handle);
    auto target = streamOf(stream);
    if (flags & CU_EVENT_WAIT_EXTERNAL) {
      auto node = std::make_shared<EventNodeWork>(CU_GRAPH_NODE_TYPE_WAIT_EVENT, handle, event);
      require(captured(target, node), CUDA_ERROR_ILLEGAL_STATE, "external waits belong into captures");
      return;
    }
    if (waitedInCapture(target, event)) return;
    issue(target, waitWork(event->moment()));
  });
}

SIM_EXPORT CUresult cuEventQuery(CUevent handle) {
  return entry("cuEventQuery", kWell | kOutsideCapture, [&] {
    auto event = registry().events.at(handle);
    refuseCaptured(event);
    auto moment = event->moment();
    require(!moment || moment->passed(), CUDA_ERROR_NOT_READY);
    event->context->requireAlive();
  });
}

SIM_EXPORT CUresult cuEventSynchronize(CUevent handle) {
  return entry("cuEventSynchronize", kWell, [&] {
    auto event = registry().events.at(handle);
    refuseCaptured(event);
    if (auto moment = event->moment()) moment->wait();
    event->context->requireAlive();
  });
}

SIM_EXPORT CUresult cuEventElapsedTime(float* millis, CUevent first, CUevent last) {
  return entry("cuEventElapsedTime", kWell, [&] {
    auto from = registry().events.at(first), to = registry().events.at(last);
    refuseCaptured(from);
    refuseCaptured(to);
    bool timed = !((from->flags | to->flags) & CU_EVENT_DISABLE_TIMING);
    auto start = from->moment(), end = to->moment();
    require(timed && start && end, CUDA_ERROR_INVALID_HANDLE, "without timing, or never recorded");
    require(from->context == to->context, CUDA_ERROR_INVALID_HANDLE, "events of different contexts");
    require(start->passed() && end->passed(), CUDA_ERROR_NOT_READY);
    *millis = static_cast<float>(static_cast<double>(end->nanos() - start->nanos()) / 1e6);
  });
}
