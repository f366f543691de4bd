// What every function of the API does around its own work: counts itself, fails when a test ordered that, checks that
// it may be called here and now, turns failures into codes, and writes the log.
#pragma once
#include <new>
#include <system_error>

#include "failure.h"

namespace sim {

enum Needs : unsigned {
  kNothing = 0,
  kInitialized = 1,
  kContext = 2 | kInitialized,      // a context that is current and alive
  kWell = 4 | kContext,             // and not lost
  kOutsideCapture = 8               // one of the calls that a capture in progress forbids
};

class Call {
 public:
  explicit Call(const char* name);
  void admit(unsigned needs);
  CUresult done(CUresult code, const std::string& why = "") const;

 private:
  const char* const name;
  const int64_t startNanos;
};

template <class Body>
CUresult entry(const char* name, unsigned needs, Body body) noexcept {
  Call call(name);
  try {
    call.admit(needs);
    body();
    return call.done(CUDA_SUCCESS);
  } catch (const Failure& failure) {
    return call.done(failure.code, failure.why);
  } catch (const std::bad_alloc&) {
    return call.done(CUDA_ERROR_OUT_OF_MEMORY, "the host has no memory left");
  } catch (const std::system_error& error) {
    return call.done(CUDA_ERROR_OPERATING_SYSTEM, error.what());
  }
}

void initialize();

// While a host function of a stream runs in this thread: the API may not be called from there.
class InsideHostFunction {
 public:
  InsideHostFunction();
  ~InsideHostFunction();
};

}  // namespace sim
