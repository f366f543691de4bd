// The memsets of the API. Those without a stream go to the legacy default stream and, as the real ones, don't wait.
#include "entry.h"
#include "fill.h"
#include "stream.h"

using namespace sim;

static CUresult fill(const char* name, unsigned needs, const CUDA_MEMSET_NODE_PARAMS& shape, CUstream stream) {
  return entry(name, needs, [&] { issue(streamOf(stream), checkedFill(shape)); });
}

#define FILL(name, symbol, asyncSymbol, type)                                                                      \
  SIM_EXPORT CUresult symbol(CUdeviceptr to, type value, size_t count) {                                           \
    return fill(name, kWell | kOutsideCapture, {to, 0, value, sizeof(type), count, 1}, nullptr);                   \
  }                                                                                                                \
  SIM_EXPORT CUresult asyncSymbol(CUdeviceptr to, type value, size_t count, CUstream stream) {                     \
    return fill(name "Async", kWell, {to, 0, value, sizeof(type), count, 1}, stream);                              \
  }

#define FILL_2D(name, symbol, asyncSymbol, type)                                                                   \
  SIM_EXPORT CUresult symbol(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height) {              \
    return fill(name, kWell | kOutsideCapture, {to, pitch, value, sizeof(type), width, height}, nullptr);          \
  }                                                                                                                \
  SIM_EXPORT CUresult asyncSymbol(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height,           \
                                  CUstream stream) {                                                               \
    return fill(name "Async", kWell, {to, pitch, value, sizeof(type), width, height}, stream);                     \
  }

FILL("cuMemsetD8", cuMemsetD8_v2, cuMemsetD8Async, unsigned char)
FILL("cuMemsetD16", cuMemsetD16_v2, cuMemsetD16Async, unsigned short)
FILL("cuMemsetD32", cuMemsetD32_v2, cuMemsetD32Async, unsigned)
FILL_2D("cuMemsetD2D8", cuMemsetD2D8_v2, cuMemsetD2D8Async, unsigned char)
FILL_2D("cuMemsetD2D16", cuMemsetD2D16_v2, cuMemsetD2D16Async, unsigned short)
FILL_2D("cuMemsetD2D32", cuMemsetD2D32_v2, cuMemsetD2D32Async, unsigned)
