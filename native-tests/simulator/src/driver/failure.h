// How a call refuses: thrown anywhere below `entry`, which turns it into the code that the caller sees.
#pragma once
#include <string>
#include <utility>

#include "abi.h"

namespace sim {

struct Failure {
  CUresult code;
  std::string why;  // for the trace; the API itself knows codes only
};

// Out of line: the calls are many, and failures few.
[[noreturn]] void fail(CUresult code, const std::string& why);
[[noreturn]] void fail(CUresult code, const char* why = "");

inline void require(bool holds, CUresult otherwise, const char* why = "") {
  if (!holds) fail(otherwise, why);
}

inline void requireValue(bool holds, const char* why) { require(holds, CUDA_ERROR_INVALID_VALUE, why); }

}  // namespace sim
