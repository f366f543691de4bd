// Each element by itself. Floating point is computed in float, or double for doubles; whole numbers in 64 bits.
#include "pointwise.cuh"

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
UNARY(logical_not, element::logical_not(x))
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
UNARY(negate, element::negate(x))
UNARY(absolute, element::absolute(x))
UNARY(relu, element::relu(x))
UNARY(sign, element::sign(x))

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
UNARY(square_root, element::square_root(x))
UNARY(exponential, element::exponential(x))
UNARY(logarithm, element::logarithm(x))
UNARY(hyperbolic_tangent, element::hyperbolic_tangent(x))
UNARY(sine, element::sine(x))
UNARY(cosine, element::cosine(x))
UNARY(round_down, element::round_down(x))
UNARY(round_up, element::round_up(x))
UNARY(reciprocal, element::reciprocal(x))
UNARY(error_function, element::error_function(x))
UNARY(sigmoid, element::sigmoid(x))
UNARY(hard_swish, element::hard_swish(x))
UNARY(gelu, element::gelu(x))
UNARY(gelu_by_tanh, element::gelu_by_tanh(x))
UNARY(round_to_even, element::round_to_even(x))
UNARY(softplus, element::softplus(x))
UNARY(softsign, element::softsign(x))
UNARY(mish, element::mish(x))
UNARY(elu, element::elu(x, alpha))
UNARY(selu, element::selu(x, alpha, beta))
UNARY(celu, element::celu(x, alpha))
UNARY(swish, element::swish(x, alpha))
UNARY(thresholded_relu, element::thresholded_relu(x, alpha))
UNARY(shrink, element::shrink(x, alpha, beta))

extern "C" __global__ void not_a_number(const VALUE* __restrict__ from, uint8* __restrict__ to, int64 count, float,
    float) {
  for (EACH(i, count)) {
    to[i] = widen(from[i]) != widen(from[i]) ? 1 : 0;
  }
}

UNARY(leaky_relu, element::leaky_relu(x, alpha))
UNARY(hard_sigmoid, element::hard_sigmoid(x, alpha, beta))
#endif
