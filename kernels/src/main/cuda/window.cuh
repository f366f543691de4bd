// How a window slides over up to three spatial axes; SlidingWindow of the host says what the fields mean. Axes that are
// not there come first, with one input, one tap and one result.
#pragma once
#include "cairn.cuh"

#define MOST_SPATIAL 3
struct Window {
  int64 input[MOST_SPATIAL];
  int64 output[MOST_SPATIAL];
  int64 kernel[MOST_SPATIAL];
  int64 stride[MOST_SPATIAL];
  int64 pad[MOST_SPATIAL];
  int64 pad_end[MOST_SPATIAL];
  int64 dilation[MOST_SPATIAL];
};

struct Span {
  int64 start;
  int64 first;
  int64 end;
};

// The taps of a window that lie within the input, along one axis.
__device__ __forceinline__ Span span(const Window& window, int axis, int64 output) {
  Span of;
  int64 dilation = window.dilation[axis];
  of.start = output * window.stride[axis] - window.pad[axis];
  of.first = of.start >= 0 ? 0 : (-of.start + dilation - 1) / dilation;
  int64 room = window.input[axis] - of.start;
  of.end = room <= 0 ? 0 : (room + dilation - 1) / dilation;
  of.end = of.end < window.kernel[axis] ? of.end : window.kernel[axis];
  return of;
}

// The divisor of an average, along one axis.
__device__ __forceinline__ int64 counted(const Window& window, int axis, const Span& of, int include_padding) {
  if (!include_padding) {
    return of.end > of.first ? of.end - of.first : 0;
  }
  int64 room = window.input[axis] + window.pad_end[axis] - of.start;
  int64 taps = (room + window.dilation[axis] - 1) / window.dilation[axis];
  return taps < window.kernel[axis] ? taps : window.kernel[axis];
}
