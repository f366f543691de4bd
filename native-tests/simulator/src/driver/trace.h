// CAIRN_SIM_TRACE: what was called and what ran when, a line each, fields separated by tabs:
//   call  thread  name  code  startNanos  endNanos  why
//   work  stream  what  code  startNanos  endNanos
#pragma once
#include <cstdint>
#include <string>

namespace sim {

int64_t nowNanos();  // steady, since the library was loaded

bool tracing();
void traceCall(const char* name, int code, int64_t startNanos, const std::string& why);
void traceWork(const std::string& stream, const std::string& what, int code, int64_t startNanos);

}  // namespace sim
