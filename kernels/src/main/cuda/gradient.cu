// Gradients of convolutions' weights and of pools, over up to three spatial axes. Each result gathers its terms in one
// order, so that the same launch gives the same bits.
#include "join.cuh"
#include "window.cuh"

// The weights' gradient: for each weight, a block sums the input under its tap times the results' gradient.
extern "C" __global__ void weight_gradient(const VALUE* __restrict__ from, const VALUE* __restrict__ heads,
    VALUE* __restrict__ to, int64 count, int64 images, int64 groups, int64 inputs, int64 outputs, Window window) {
  int64 taps = window.kernel[0] * window.kernel[1] * window.kernel[2];
  int64 plane = window.input[0] * window.input[1] * window.input[2];
  int64 results = window.output[0] * window.output[1] * window.output[2];
  for (int64 w = blockIdx.x; w < count; w += gridDim.x) {
    int64 tap = w % taps;
    int64 output = w / taps / inputs;
    int64 channel = output / (outputs / groups) * inputs + w / taps % inputs;
    int64 x = tap % window.kernel[2] * window.dilation[2] - window.pad[2];
    int64 y = tap / window.kernel[2] % window.kernel[1] * window.dilation[1] - window.pad[1];
    int64 z = tap / (window.kernel[2] * window.kernel[1]) * window.dilation[0] - window.pad[0];
    WIDE sum = (WIDE) 0;
    for (int64 i = threadIdx.x; i < images * results; i += blockDim.x) {
      int64 image = i / results;
      int64 result = i % results;
      int64 a = result % window.output[2] * window.stride[2] + x;
      int64 b = result / window.output[2] % window.output[1] * window.stride[1] + y;
      int64 c = result / (window.output[2] * window.output[1]) * window.stride[0] + z;
      if (a >= 0 && a < window.input[2] && b >= 0 && b < window.input[1] && c >= 0 && c < window.input[0]) {
        int64 at = (image * groups * inputs + channel) * plane + (c * window.input[1] + b) * window.input[2] + a;
        sum += widen(heads[(image * outputs + output) * results + result]) * widen(from[at]);
      }
    }
    sum = joined_in_block<Sum>(sum);
    if (threadIdx.x == 0) {
      to[w] = narrow<VALUE>(sum);
    }
  }
}

// The windows along one axis that may have a tap at an input.
struct Reach {
  int64 first;
  int64 end;
};

__device__ __forceinline__ Reach reach(const Window& window, int axis, int64 input) {
  int64 last = input + window.pad[axis];
  int64 low = last - (window.kernel[axis] - 1) * window.dilation[axis];
  Reach of;
  of.first = low <= 0 ? 0 : (low + window.stride[axis] - 1) / window.stride[axis];
  of.end = last / window.stride[axis] + 1;
  of.end = of.end < window.output[axis] ? of.end : window.output[axis];
  return of;
}

// Whether one of these windows has a tap at that input.
__device__ __forceinline__ bool meets(const Window& window, int axis, int64 output, int64 input) {
  return (input + window.pad[axis] - output * window.stride[axis]) % window.dilation[axis] == 0;
}

// For input i of the tensor: each window of its plane that has a tap there, in row-major order.
#define FOR_WINDOWS(window, i) \
  int64 plane_inputs = window.input[0] * window.input[1] * window.input[2]; \
  int64 plane = i / plane_inputs; \
  int64 me = i % plane_inputs; \
  int64 at[MOST_SPATIAL] = {me / (window.input[2] * window.input[1]), me / window.input[2] % window.input[1], \
    me % window.input[2]}; \
  int64 first_output = plane * window.output[0] * window.output[1] * window.output[2]; \
  Reach over[MOST_SPATIAL] = {reach(window, 0, at[0]), reach(window, 1, at[1]), reach(window, 2, at[2])}; \
  for (int64 c = over[0].first; c < over[0].end; c++) \
    for (int64 b = over[1].first; b < over[1].end; b++) \
      for (int64 a = over[2].first; a < over[2].end; a++) \
        if (meets(window, 0, c, at[0]) && meets(window, 1, b, at[1]) && meets(window, 2, a, at[2]))

#define RESULT(window) (first_output + (c * window.output[1] + b) * window.output[2] + a)

__device__ __forceinline__ bool is_same(WIDE a, WIDE b) { return a == b || (is_nan(a) && is_nan(b)); }

// Whether a window has an element before this one that equals the maximum.
__device__ __forceinline__ bool is_met_before(const VALUE* plane, WIDE maximum, int64 me, const Window& window,
    int64 c, int64 b, int64 a) {
  Span z = span(window, 0, c);
  Span y = span(window, 1, b);
  Span x = span(window, 2, a);
  for (int64 k = z.first; k < z.end; k++) {
    for (int64 j = y.first; j < y.end; j++) {
      for (int64 i = x.first; i < x.end; i++) {
        int64 other = ((z.start + k * window.dilation[0]) * window.input[1] + y.start + j * window.dilation[1])
            * window.input[2] + x.start + i * window.dilation[2];
        if (other >= me) {
          return false;
        }
        if (is_same(widen(plane[other]), maximum)) {
          return true;
        }
      }
    }
  }
  return false;
}

extern "C" __global__ void maximum_pool_gradient(const VALUE* __restrict__ from, const VALUE* __restrict__ maxima,
    const VALUE* __restrict__ heads, VALUE* __restrict__ to, int64 count, Window window) {
  for (EACH(i, count)) {
    WIDE sum = (WIDE) 0;
    WIDE own = widen(from[i]);
    FOR_WINDOWS(window, i) {
      int64 result = RESULT(window);
      if (is_same(own, widen(maxima[result]))
          && !is_met_before(from + plane * plane_inputs, own, me, window, c, b, a)) {
        sum += widen(heads[result]);
      }
    }
    to[i] = narrow<VALUE>(sum);
  }
}

extern "C" __global__ void average_pool_gradient(const VALUE* __restrict__ heads, VALUE* __restrict__ to, int64 count,
    int include_padding, Window window) {
  for (EACH(i, count)) {
    WIDE sum = (WIDE) 0;
    FOR_WINDOWS(window, i) {
      // A product of whole numbers could be more than 64 bits hold.
      WIDE divisor = (WIDE) counted(window, 0, span(window, 0, c), include_padding)
          * (WIDE) counted(window, 1, span(window, 1, b), include_padding)
          * (WIDE) counted(window, 2, span(window, 2, a), include_padding);
      sum += widen(heads[RESULT(window)]) / divisor;
    }
    to[i] = narrow<VALUE>(sum);
  }
}
