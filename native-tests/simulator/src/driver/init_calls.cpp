// cuInit, the version, and words for codes.
#include <cstring>

#include "entry.h"
#include "settings.h"

using namespace sim;

SIM_EXPORT CUresult cuInit(unsigned flags) {
  return entry("cuInit", kNothing, [&] {
    requireValue(flags == 0, "flags must be 0");
    require(settings().devices > 0, CUDA_ERROR_NO_DEVICE);
    initialize();
  });
}

SIM_EXPORT CUresult cuDriverGetVersion(int* version) {
  return entry("cuDriverGetVersion", kNothing, [&] {
    requireValue(version != nullptr, "version");
    *version = settings().driverVersion;
  });
}

struct Code {
  int number;
  const char* name;
  const char* text;
};

static const Code kCodes[] = {
#define RESULT(name, number, text) {number, #name, text},
#include "result_codes.inc"
#undef RESULT
};

static CUresult words(CUresult code, const char** answer, const char* Code::*part) {
  if (!answer) return CUDA_ERROR_INVALID_VALUE;
  *answer = nullptr;
  for (const Code& known : kCodes) if (known.number == code) *answer = known.*part;
  return *answer ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

SIM_EXPORT CUresult cuGetErrorName(CUresult code, const char** name) { return words(code, name, &Code::name); }
SIM_EXPORT CUresult cuGetErrorString(CUresult code, const char** text) { return words(code, text, &Code::text); }
