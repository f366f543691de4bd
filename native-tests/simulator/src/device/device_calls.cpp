// What compiled kernels call: the table that every thread carries.
#include <cstdarg>
#include <cstdio>

#include "device/block.h"
#include "device/race_check.h"

namespace sim::device {
namespace {

int barrier(CairnThread* self, int line, int vote, int predicate) {
  return Block::running()->barrier(self, line, vote, predicate);
}

unsigned long long meet(CairnThread* self, unsigned mask, int meeting, unsigned long long value, unsigned lane) {
  return Block::running()->meet(self, mask, meeting, value, lane);
}

void fail(CairnThread*, int code, const char* what, const char* file, int line) {
  Block::running()->fail(code, std::string(what) + ", " + file + "(" + std::to_string(line) + ")");
}

int print(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int written = vprintf(format, arguments);
  va_end(arguments);
  fflush(stdout);
  return written;
}

}  // namespace

const CairnDeviceCalls* deviceCalls() {
  static const CairnDeviceCalls calls = {barrier, meet, fail, noteAtomic, print};
  return &calls;
}

}  // namespace sim::device
