#include "trace.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "settings.h"

namespace sim {

static const auto loaded = std::chrono::steady_clock::now();

int64_t nowNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - loaded).count();
}

// Line by line, since a JVM may end without running the destructors of its libraries.
static FILE* file() {
  static FILE* open = [] {
    const std::string& path = settings().trace;
    FILE* f = path.empty() ? nullptr : fopen(path.c_str(), "ae");
    if (f) setvbuf(f, nullptr, _IOLBF, 1 << 16);
    return f;
  }();
  return open;
}

bool tracing() { return file() != nullptr; }

void traceCall(const char* name, int code, int64_t startNanos, const std::string& why) {
  if (FILE* f = file()) {
    fprintf(f, "call\t%ld\t%s\t%d\t%lld\t%lld\t%s\n", syscall(SYS_gettid), name, code,
            static_cast<long long>(startNanos), static_cast<long long>(nowNanos()), why.c_str());
  }
}

void traceWork(const std::string& stream, const std::string& what, int code, int64_t startNanos) {
  if (FILE* f = file()) {
    fprintf(f, "work\t%s\t%s\t%d\t%lld\t%lld\n", stream.c_str(), what.c_str(), code,
            static_cast<long long>(startNanos), static_cast<long long>(nowNanos()));
  }
}

}  // namespace sim
