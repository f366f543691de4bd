// Each element by itself. Floating point is computed in float, or double for doubles; whole numbers in 64 bits.
#include "pointwise.cuh"

// y = f(x); alpha and beta are the operator's attributes, where it has any.
#define UNARY(name, arguments) \
  extern "C" __global__ void name(const VALUE* __restrict__ from, VALUE* __restrict__ to, int64 count, float alpha, \
      float beta) { \
    for (EACH(i, count)) { \
      WIDE x = widen(from[i]); \
      to[i] = narrow<VALUE>((WIDE) (element::name arguments)); \
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

// One operand, stretched to the result's shape.
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
ENTRIES_OF_BOOL(UNARY)
BINARY(logical_and, element::logical_and(a, b))
BINARY(logical_or, element::logical_or(a, b))
BINARY(logical_xor, element::logical_xor(a, b))
#else

BINARY(add, element::add(a, b))
BINARY(sub, element::sub(a, b))
BINARY(mul, element::mul(a, b))
BINARY(divide, element::divide(a, b))
BINARY(minimum, element::minimum(a, b))
BINARY(maximum, element::maximum(a, b))
ENTRIES_OF_NUMBERS(UNARY)

// Where the lower bound is above the upper one, everything becomes the upper one.
extern "C" __global__ void clip(const VALUE* __restrict__ from, const VALUE* __restrict__ low,
    const VALUE* __restrict__ high, VALUE* __restrict__ to, int64 count) {
  for (EACH(i, count)) {
    WIDE x = widen(from[i]);
    if (low != nullptr) {
      x = element::at_least(x, widen(*low));
    }
    if (high != nullptr) {
      x = element::at_most(x, widen(*high));
    }
    to[i] = narrow<VALUE>(x);
  }
}
#endif

#if REAL
ENTRIES_OF_REALS(UNARY)

extern "C" __global__ void not_a_number(const VALUE* __restrict__ from, uint8* __restrict__ to, int64 count) {
  for (EACH(i, count)) {
    to[i] = widen(from[i]) != widen(from[i]) ? 1 : 0;
  }
}

extern "C" __global__ void infinite(const VALUE* __restrict__ from, uint8* __restrict__ to, int64 count, int64 positive,
                                    int64 negative) {
  for (EACH(i, count)) {
    to[i] = element::is_infinite(widen(from[i]), positive != 0, negative != 0) ? 1 : 0;
  }
}
#endif
