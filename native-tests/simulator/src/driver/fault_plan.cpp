#include "fault_plan.h"

#include <cctype>
#include <cstdlib>
#include <string_view>

#include "settings.h"

namespace sim {

static std::string_view withoutVersion(std::string_view call) {
  size_t n = call.size();
  return n > 3 && call[n - 3] == '_' && call[n - 2] == 'v' && isdigit(call[n - 1]) ? call.substr(0, n - 3) : call;
}

void FaultPlan::fail(const std::string& call, int nth, int code) {
  std::lock_guard<std::mutex> lock(mutex);
  Row& row = rows[std::string(withoutVersion(call))];
  row.until = nth < 0 ? 0 : nth;
  row.code = code;
}

int FaultPlan::enter(const char* call) {
  std::string_view name = withoutVersion(call);
  std::lock_guard<std::mutex> lock(mutex);
  auto found = rows.find(name);
  if (found == rows.end()) found = rows.emplace(std::string(name), Row{}).first;
  Row& row = found->second;
  row.calls++;
  return row.until > 0 && --row.until == 0 ? row.code : kNotPlanned;
}

long FaultPlan::calls(const std::string& call) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = rows.find(withoutVersion(call));
  return found == rows.end() ? 0 : found->second.calls;
}

// "cuInit:1:803,cuMemAlloc:3:2": what a test can't order over FFM because the process is not its own.
static void readPlan(FaultPlan& plan, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find(',', at);
    std::string part = text.substr(at, end == std::string::npos ? end : end - at);
    size_t first = part.find(':'), second = part.find(':', first + 1);
    if (first != std::string::npos && second != std::string::npos) {
      plan.fail(part.substr(0, first), atoi(part.c_str() + first + 1), atoi(part.c_str() + second + 1));
    }
    if (end == std::string::npos) break;
    at = end + 1;
  }
}

FaultPlan& faultPlan() {
  static FaultPlan& plan = *[] {
    auto* fresh = new FaultPlan;
    readPlan(*fresh, settings().faults);
    return fresh;
  }();
  return plan;
}

}  // namespace sim
