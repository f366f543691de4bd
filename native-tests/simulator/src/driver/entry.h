// What every function of the API does around its own work: counts itself, fails when a test ordered that, checks that
// it may be called here and now, turns failures into codes, and writes the log.
#pragma once
#include "failure.h"

namespace sim {

enum Needs : unsigned {
  kNothing = 0,
  kInitialized = 1,
  kContext = 2 | kInitialized,      // a context that is current and alive
  kWell = 4 | kContext,             // and not lost
  kOutsideCapture = 8               // one of the calls that a capture in progress forbids
};

// Runs body(work) within what surrounds every call.
CUresult enter(const char* name, unsigned needs, void (*body)(void* work), void* work) noexcept;

// The body of each function is compiled by itself, and what surrounds it once.
template <class Body>
CUresult entry(const char* name, unsigned needs, Body body) noexcept {
  return enter(name, needs, [](void* work) { (*static_cast<Body*>(work))(); }, &body);
}

void initialize();

// While a host function of a stream runs in this thread: the API may not be called from there.
class InsideHostFunction {
 public:
  InsideHostFunction();
  ~InsideHostFunction();
};

}  // namespace sim
