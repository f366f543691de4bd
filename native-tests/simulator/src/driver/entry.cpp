#include "entry.h"

#include <atomic>
#include <new>
#include <system_error>

#include "capture.h"
#include "current.h"
#include "fault_plan.h"
#include "trace.h"

namespace sim {

static std::atomic<bool> initialized{false};
static thread_local bool insideHostFunction = false;

void fail(CUresult code, const std::string& why) { throw Failure{code, why}; }
void fail(CUresult code, const char* why) { throw Failure{code, why}; }

void initialize() { initialized = true; }

InsideHostFunction::InsideHostFunction() { insideHostFunction = true; }
InsideHostFunction::~InsideHostFunction() { insideHostFunction = false; }

static void admit(const char* name, unsigned needs) {
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

CUresult enter(const char* name, unsigned needs, void (*body)(void* work), void* work) noexcept {
  const int64_t startNanos = tracing() ? nowNanos() : 0;
  CUresult code = CUDA_SUCCESS;
  std::string why;
  try {
    admit(name, needs);
    body(work);
  } catch (const Failure& failure) {
    code = failure.code;
    why = failure.why;
  } catch (const std::bad_alloc&) {
    code = CUDA_ERROR_OUT_OF_MEMORY;
    why = "the host has no memory left";
  } catch (const std::system_error& error) {
    code = CUDA_ERROR_OPERATING_SYSTEM;
    why = error.what();
  }
  if (tracing()) traceCall(name, code, startNanos, why);
  return code;
}

}  // namespace sim
