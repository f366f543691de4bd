// Each element by itself. Floating point is computed in float, or double for doubles; whole numbers in 64 bits.
#include "cairn.cuh"

// y = f(x); alpha and beta are the operator's attributes, where it has any.
#define UNARY(name, expression) \
  extern "C" __global__ void name(const VALUE* __restrict__ from, VALUE* __restrict__ to, int64 count, float alpha, \
      float beta) { \
    for (EACH(i, count)) { \
      WIDE x = widen(from[i]); \
      to[i] = narrow<VALUE>((WIDE) (expression)); \
    } \
  }

// y = f(a, b) of operands that stretch to one shape.
#define BINARY(name, expression) \
  extern "C" __global__ void name(const VALUE* __restrict__ left, const VALUE* right, VALUE* to, int64 count, \
      Walk walk) { \
    for (EACH(i, count)) { \
      Offsets at = offsets(walk, i); \
      WIDE a = widen(left[at.of[0]]); \
      WIDE b = widen(right[at.of[1]]); \
      to[i] = narrow<VALUE>((WIDE) (expression)); \
    } \
  }

#define COMPARISON(name, operator) \
  extern "C" __global__ void name(const VALUE* __restrict__ left, const VALUE* __restrict__ right, \
      uint8* __restrict__ to, int64 count, Walk walk) { \
    for (EACH(i, count)) { \
      Offsets at = offsets(walk, i); \
      to[i] = widen(left[at.of[0]]) operator widen(right[at.of[1]]) ? 1 : 0; \
    } \
  }

COMPARISON(equal, ==)
COMPARISON(less, <)
COMPARISON(less_or_equal, <=)
COMPARISON(greater, >)
COMPARISON(greater_or_equal, >=)

// One operand alone, stretched.
extern "C" __global__ void stretch(const VALUE* __restrict__ from, VALUE* __restrict__ to, int64 count, Walk walk) {
  for (EACH(i, count)) {
    to[i] = from[offsets(walk, i).of[0]];
  }
}

extern "C" __global__ void where(const uint8* __restrict__ condition, const VALUE* __restrict__ left,
    const VALUE* __restrict__ right, VALUE* __restrict__ to, int64 count, Walk walk) {
  for (EACH(i, count)) {
    Offsets at = offsets(walk, i);
    to[i] = condition[at.of[0]] ? left[at.of[1]] : right[at.of[2]];
  }
}

#if BOOL
UNARY(logical_not, 1 - x)
BINARY(logical_and, a & b)
BINARY(logical_or, a | b)
#else

BINARY(add, a + b)
BINARY(sub, a - b)
BINARY(mul, a * b)
#if REAL
// A NaN stays one.
BINARY(divide, a / b)
BINARY(minimum, a != a ? a : (b != b ? b : (a < b ? a : b)))
BINARY(maximum, a != a ? a : (b != b ? b : (a > b ? a : b)))
#else
BINARY(divide, b == 0 ? (WIDE) 0 : (b == (WIDE) -1 && (WIDE) -1 < 0 ? 0 - a : a / b))
BINARY(minimum, a < b ? a : b)
BINARY(maximum, a > b ? a : b)
#endif

__device__ __forceinline__ bool is_negative(float x) { return x < 0; }
__device__ __forceinline__ bool is_negative(double x) { return x < 0; }
__device__ __forceinline__ bool is_negative(int64 x) { return x < 0; }
__device__ __forceinline__ bool is_negative(uint64) { return false; }

UNARY(negate, -x)
UNARY(absolute, is_negative(x) ? -x : (x == (WIDE) 0 ? (WIDE) 0 : x))
UNARY(relu, is_negative(x) ? (WIDE) 0 : x)

// Where the lower bound is above the upper one, everything becomes the upper one.
extern "C" __global__ void clip(const VALUE* __restrict__ from, const VALUE* __restrict__ low,
    const VALUE* __restrict__ high, VALUE* __restrict__ to, int64 count) {
  for (EACH(i, count)) {
    WIDE x = widen(from[i]);
    if (low != nullptr && x < widen(*low)) {
      x = widen(*low);
    }
    if (high != nullptr && x > widen(*high)) {
      x = widen(*high);
    }
    to[i] = narrow<VALUE>(x);
  }
}
#endif

#if REAL
__device__ __forceinline__ WIDE unit(WIDE x) { return x < (WIDE) 0 ? (WIDE) 0 : (x > (WIDE) 1 ? (WIDE) 1 : x); }

UNARY(square_root, sqrt(x))
UNARY(exponential, exp(x))
UNARY(logarithm, log(x))
UNARY(hyperbolic_tangent, tanh(x))
UNARY(sine, sin(x))
UNARY(cosine, cos(x))
UNARY(round_down, floor(x))
UNARY(round_up, ceil(x))
UNARY(reciprocal, (WIDE) 1 / x)
UNARY(error_function, erf(x))
UNARY(sigmoid, (WIDE) 1 / ((WIDE) 1 + exp(-x)))
UNARY(hard_swish, x * unit(x / (WIDE) 6 + (WIDE) 0.5))
UNARY(leaky_relu, x < (WIDE) 0 ? (WIDE) alpha * x : x)
UNARY(hard_sigmoid, unit((WIDE) alpha * x + (WIDE) beta))
UNARY(gelu, (WIDE) 0.5 * x * erfc(-x * (WIDE) 0.70710678118654752440))
UNARY(gelu_by_tanh, (WIDE) 0.5 * x * ((WIDE) 1 + tanh((WIDE) 0.79788456080286535588
    * (x + (WIDE) 0.044715 * x * x * x))))
#endif
