// Beginning and ending stream capture.
#include "capture.h"
#include "current.h"
#include "entry.h"
#include "registry.h"

using namespace sim;

SIM_EXPORT CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return entry("cuStreamBeginCapture", kWell, [&] { beginCapture(streamOf(stream), mode); });
}

SIM_EXPORT CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return entry("cuStreamEndCapture", kWell, [&] {
    requireValue(graph != nullptr, "no place for the graph");
    *graph = nullptr;
    *graph = registry().graphs.add(endCapture(streamOf(stream)));
  });
}

SIM_EXPORT CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return entry("cuStreamIsCapturing", kWell, [&] { *status = statusOf(streamOf(stream), nullptr); });
}

SIM_EXPORT CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return entry("cuThreadExchangeStreamCaptureMode", kInitialized, [&] { *mode = exchangeMode(*mode); });
}
