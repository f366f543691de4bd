#include "capture_list.h"

#include <algorithm>

#include "capture.h"
#include "failure.h"

namespace sim {

static thread_local CUstreamCaptureMode threadMode = CU_CAPTURE_GLOBAL;

CaptureList& captureList() {
  static CaptureList& list = *new CaptureList;
  return list;
}

void CaptureList::add(const CapturePointer& capture) {
  captures.push_back(capture);
  count = captures.size();
}

void CaptureList::remove(const CapturePointer& capture) {
  captures.erase(std::remove(captures.begin(), captures.end(), capture), captures.end());
  count = captures.size();
}

bool CaptureList::contains(const CapturePointer& capture) const {
  return std::find(captures.begin(), captures.end(), capture) != captures.end();
}

CUstreamCaptureMode exchangeMode(CUstreamCaptureMode mode) {
  requireValue(mode >= CU_CAPTURE_GLOBAL && mode <= CU_CAPTURE_RELAXED, "no such capture mode");
  std::swap(threadMode, mode);
  return mode;
}

// A thread that is in mode relaxed may call anything; in thread-local mode it heeds its own captures, in global mode
// also those of others that began in global mode.
static bool forbids(const Capture& capture) {
  if (threadMode == CU_CAPTURE_RELAXED || capture.mode == CU_CAPTURE_RELAXED) return false;
  if (capture.thread == std::this_thread::get_id()) return true;
  return threadMode == CU_CAPTURE_GLOBAL && capture.mode == CU_CAPTURE_GLOBAL;
}

void refuseWhileCapturing() {
  if (captureList().empty()) return;
  std::lock_guard<std::mutex> lock(captureMutex());
  bool refused = false;
  for (auto& capture : captureList().all()) {
    if (!forbids(*capture)) continue;
    capture->invalid = true;
    refused = true;
  }
  require(!refused, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "a capture in progress forbids this call");
}

}  // namespace sim
