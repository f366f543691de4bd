// The codes that cuDNN 9 answers, as far as this simulator gives them, and how a call comes to one.
#pragma once
#include <new>
#include <string>

#define CUDNN_API extern "C" __attribute__((visibility("default")))

namespace sim {

enum CudnnStatus : int {
  CUDNN_STATUS_SUCCESS = 0,
  CUDNN_STATUS_NOT_INITIALIZED = 1001,
  CUDNN_STATUS_BAD_PARAM = 2000,
  CUDNN_STATUS_BAD_PARAM_NULL_POINTER = 2002,
  CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER = 2003,
  CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT = 2006,
  CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH = 2008,
  CUDNN_STATUS_NOT_SUPPORTED = 3000,
  CUDNN_STATUS_NOT_SUPPORTED_SHAPE = 3002,
  CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE = 3003,
  CUDNN_STATUS_NOT_SUPPORTED_LAYOUT = 3004,
  CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED = 4003,
  CUDNN_STATUS_EXECUTION_FAILED = 5000
};

const char* nameOf(int status);

// Why a call does nothing.
struct Refusal {
  CudnnStatus status;
  std::string why;
};

inline void require(bool holds, CudnnStatus status, const char* why) {
  if (!holds) throw Refusal{status, why};
}

// Counts a call, and answers what a test wants it to answer; -1 for nothing.
int planned(const char* call);

// What cudnnGetLastErrorString gives on this thread.
std::string& lastWords();

// What every function does around its own work.
template <class Body>
int answer(const char* call, Body body) noexcept {
  try {
    const int ordered = planned(call);
    if (ordered >= 0) {
      lastWords() = "ordered by a test";
      return ordered;
    }
    body();
    return CUDNN_STATUS_SUCCESS;
  } catch (const Refusal& refusal) {
    lastWords() = std::string(call) + ": " + refusal.why;
    return refusal.status;
  } catch (const std::bad_alloc&) {
    lastWords() = std::string(call) + ": the host has no memory left";
    return CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED;
  }
}

}  // namespace sim
