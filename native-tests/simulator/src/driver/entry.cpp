#include "entry.h"

#include <atomic>

#include "capture.h"
#include "current.h"
#include "fault_plan.h"
#include "trace.h"

namespace sim {

static std::atomic<bool> initialized{false};
static thread_local bool insideHostFunction = false;

void initialize() { initialized = true; }

InsideHostFunction::InsideHostFunction() { insideHostFunction = true; }
InsideHostFunction::~InsideHostFunction() { insideHostFunction = false; }

Call::Call(const char* name) : name(name), startNanos(tracing() ? nowNanos() : 0) {}

void Call::admit(unsigned needs) {
  int planned = faultPlan().enter(name);
  if (planned != FaultPlan::kNotPlanned) fail(static_cast<CUresult>(planned), "planned");
  if (needs & kInitialized) {
    require(initialized, CUDA_ERROR_NOT_INITIALIZED, "cuInit was not called");
    require(!insideHostFunction, CUDA_ERROR_NOT_PERMITTED, "called from a host function");
  }
  if ((needs & kContext) == kContext) {
    ContextPointer context = current();
    if ((needs & kWell) == kWell) context->requireAlive();
  }
  if (needs & kOutsideCapture) refuseWhileCapturing();
}

CUresult Call::done(CUresult code, const std::string& why) const {
  if (tracing()) traceCall(name, code, startNanos, why);
  return code;
}

}  // namespace sim
