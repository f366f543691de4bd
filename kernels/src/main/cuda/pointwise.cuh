// Functions of single elements, as they are computed: W is float, double, int64 or uint64. Each formula stands here,
// for kernels of one operator and for fused ones. A product is rounded before something is added to it, in a formula or
// by another function: else the compiler could round differently where it compiles the formula with others.
#pragma once
#include "rounded.cuh"

namespace element {

template <typename W>
__device__ constexpr bool is_real() { return (W) 0.5 != (W) 0; }

template <typename W>
__device__ constexpr bool is_signed() { return (W) -1 < (W) 1; }

// The type in which a stored element is computed with.
template <typename T>
struct Wide {
  typedef decltype(widen(T())) type;
};

template <typename W> __device__ __forceinline__ W add(W a, W b) { return a + b; }
template <typename W> __device__ __forceinline__ W sub(W a, W b) { return a - b; }
template <typename W> __device__ __forceinline__ W mul(W a, W b) { return times(a, b); }
template <typename W> __device__ __forceinline__ W logical_and(W a, W b) { return a & b; }
template <typename W> __device__ __forceinline__ W logical_or(W a, W b) { return a | b; }
template <typename W> __device__ __forceinline__ W logical_xor(W a, W b) { return a ^ b; }
template <typename W> __device__ __forceinline__ W logical_not(W x) { return 1 - x; }

// Whether a number is an infinity of a sign that counts. Except for NaN, only an infinity minus itself is not zero.
template <typename W>
__device__ __forceinline__ bool is_infinite(W x, bool positive, bool negative) {
  return x == x && x - x != 0 && (x > 0 ? positive : negative);
}

template <typename W>
__device__ __forceinline__ W divide(W a, W b) {
  if constexpr (is_real<W>()) {
    return a / b;
  } else {
    return b == 0 ? (W) 0 : (b == (W) -1 && is_signed<W>() ? 0 - a : a / b);
  }
}

// A NaN stays NaN.
template <typename W>
__device__ __forceinline__ W minimum(W a, W b) { return a != a ? a : (b != b ? b : (a < b ? a : b)); }
template <typename W>
__device__ __forceinline__ W maximum(W a, W b) { return a != a ? a : (b != b ? b : (a > b ? a : b)); }

template <typename W>
__device__ __forceinline__ bool is_negative(W x) {
  if constexpr (is_signed<W>()) {
    return x < 0;
  } else {
    return false;
  }
}

template <typename W> __device__ __forceinline__ W negate(W x) { return -x; }
template <typename W> __device__ __forceinline__ W relu(W x) { return is_negative(x) ? (W) 0 : x; }
template <typename W>
__device__ __forceinline__ W absolute(W x) { return is_negative(x) ? -x : (x == (W) 0 ? (W) 0 : x); }

// Applies bounds by comparisons, so that a NaN stays NaN.
template <typename W> __device__ __forceinline__ W at_least(W x, W low) { return x < low ? low : x; }
template <typename W> __device__ __forceinline__ W at_most(W x, W high) { return x > high ? high : x; }
template <typename W> __device__ __forceinline__ W unit(W x) { return at_most(at_least(x, (W) 0), (W) 1); }

template <typename W> __device__ __forceinline__ W square_root(W x) { return sqrt(x); }
template <typename W> __device__ __forceinline__ W exponential(W x) { return exp(x); }
template <typename W> __device__ __forceinline__ W logarithm(W x) { return log(x); }
template <typename W> __device__ __forceinline__ W hyperbolic_tangent(W x) { return tanh(x); }
template <typename W> __device__ __forceinline__ W sine(W x) { return sin(x); }
template <typename W> __device__ __forceinline__ W cosine(W x) { return cos(x); }
template <typename W> __device__ __forceinline__ W round_down(W x) { return floor(x); }
template <typename W> __device__ __forceinline__ W round_up(W x) { return ceil(x); }
template <typename W> __device__ __forceinline__ W reciprocal(W x) { return (W) 1 / x; }
template <typename W> __device__ __forceinline__ W error_function(W x) { return erf(x); }
template <typename W> __device__ __forceinline__ W sigmoid(W x) { return (W) 1 / ((W) 1 + exp(-x)); }
template <typename W> __device__ __forceinline__ W round_to_even(W x) { return rint(x); }
template <typename W>
__device__ __forceinline__ W sign(W x) { return is_negative(x) ? (W) -1 : x > (W) 0 ? (W) 1 : x; }
template <typename W>
__device__ __forceinline__ W softplus(W x) { return at_least(x, (W) 0) + log1p(exp(-element::absolute(x))); }
template <typename W>
__device__ __forceinline__ W softsign(W x) {
  W size = element::absolute(x);
  return size > (W) 0 && size == size + size ? element::sign(x) : x / ((W) 1 + size);
}
template <typename W> __device__ __forceinline__ W mish(W x) { return times(x, tanh(element::softplus(x))); }
template <typename W>
__device__ __forceinline__ W elu(W x, float alpha) { return x < (W) 0 ? times((W) alpha, expm1(x)) : x; }
template <typename W>
__device__ __forceinline__ W selu(W x, float alpha, float gamma) {
  return times((W) gamma, x <= (W) 0 ? times((W) alpha, expm1(x)) : x);
}
template <typename W>
__device__ __forceinline__ W celu(W x, float alpha) { return x < (W) 0 ? times((W) alpha, expm1(x / (W) alpha)) : x; }
template <typename W>
__device__ __forceinline__ W swish(W x, float alpha) { return times(x, element::sigmoid(times((W) alpha, x))); }
template <typename W>
__device__ __forceinline__ W thresholded_relu(W x, float alpha) { return x <= (W) alpha ? (W) 0 : x; }
template <typename W>
__device__ __forceinline__ W shrink(W x, float bias, float threshold) {
  return x < -(W) threshold ? x + (W) bias : x <= (W) threshold ? (W) 0 : x - (W) bias;
}
template <typename W> __device__ __forceinline__ W hard_swish(W x) { return times(x, unit(x / (W) 6 + (W) 0.5)); }
template <typename W>
__device__ __forceinline__ W leaky_relu(W x, float alpha) { return x < (W) 0 ? times((W) alpha, x) : x; }
template <typename W>
__device__ __forceinline__ W hard_sigmoid(W x, float alpha, float beta) {
  return unit(times((W) alpha, x) + (W) beta);
}
template <typename W>
__device__ __forceinline__ W gelu(W x) { return times((W) 0.5 * x, erfc(-x * (W) 0.70710678118654752440)); }
template <typename W>
__device__ __forceinline__ W gelu_by_tanh(W x) {
  W cubic = times((W) 0.044715 * x * x, x);
  return times((W) 0.5 * x, (W) 1 + tanh((W) 0.79788456080286535588 * (x + cubic)));
}

// Entries: the functions of one element for which elementwise.cu has a kernel, by the types that they take.
#define ENTRIES_OF_BOOL(ENTRY) ENTRY(logical_not, (x))
#define ENTRIES_OF_NUMBERS(ENTRY) ENTRY(negate, (x)) ENTRY(absolute, (x)) ENTRY(relu, (x)) ENTRY(sign, (x))
#define ENTRIES_OF_REALS(ENTRY) \
  ENTRY(square_root, (x)) ENTRY(exponential, (x)) ENTRY(logarithm, (x)) ENTRY(hyperbolic_tangent, (x)) \
  ENTRY(sine, (x)) ENTRY(cosine, (x)) ENTRY(round_down, (x)) ENTRY(round_up, (x)) ENTRY(reciprocal, (x)) \
  ENTRY(error_function, (x)) ENTRY(sigmoid, (x)) ENTRY(hard_swish, (x)) ENTRY(gelu, (x)) ENTRY(gelu_by_tanh, (x)) \
  ENTRY(round_to_even, (x)) ENTRY(softplus, (x)) ENTRY(softsign, (x)) ENTRY(mish, (x)) ENTRY(elu, (x, alpha)) \
  ENTRY(selu, (x, alpha, beta)) ENTRY(celu, (x, alpha)) ENTRY(swish, (x, alpha)) \
  ENTRY(thresholded_relu, (x, alpha)) ENTRY(shrink, (x, alpha, beta)) ENTRY(leaky_relu, (x, alpha)) \
  ENTRY(hard_sigmoid, (x, alpha, beta))

// Cuts towards zero. NaN becomes 0; a number that 64 bits don't hold becomes the nearest end of their range.
__device__ __forceinline__ int64 whole(double x) {
  if (x != x) {
    return 0;
  }
  if (x >= 9223372036854775808.0) {
    return 9223372036854775807LL;
  }
  return x < -9223372036854775808.0 ? -9223372036854775807LL - 1 : (int64) x;
}

// Cuts numbers up to 2^64 in two steps, since the upper half of the range does not fit int64.
__device__ __forceinline__ uint64 whole_unsigned(double x) {
  return x >= 9223372036854775808.0 ? (uint64) whole(x - 9223372036854775808.0) ^ 0x8000000000000000ULL
                                    : (uint64) whole(x);
}

// Converts to a type as it is stored, except bool.
template <typename T, typename W>
__device__ __forceinline__ T cast(W x) {
  typedef typename Wide<T>::type To;
  if constexpr (is_real<To>() || !is_real<W>()) {
    return narrow<T>((To) x);
  } else {
    return sizeof(T) == 8 && !is_signed<To>() ? (T) whole_unsigned((double) x) : (T) whole((double) x);
  }
}

template <typename W>
__device__ __forceinline__ uint8 cast_to_bool(W x) { return x != (W) 0 ? 1 : 0; }

// Computes in the base's type. Whole numbers wrap; a negative exponent gives the quotient, cut towards zero.
template <typename W, typename E>
__device__ __forceinline__ W power(W base, E exponent) {
  if constexpr (is_real<W>()) {
    if constexpr (is_real<E>() && sizeof(E) == 8) {
      return (W) pow((double) base, (double) exponent);
    } else {
      return pow(base, (W) exponent);
    }
  } else if constexpr (is_real<E>()) {
    double result = pow((double) base, (double) exponent);
    // The device's pow may miss a whole result by two units in the last place: 3 to the power of 1 is not 2.
    double nearest = rint(result);
    return (W) whole(fabs(result - nearest) <= 8.881784197001252e-16 * fabs(result) ? nearest : result);
  } else {
    if (is_signed<E>() && (int64) exponent < 0) {
      W minus = (W) -1;
      return base == (W) 1 ? (W) 1 : (base == minus && is_signed<W>() ? ((exponent & 1) ? minus : (W) 1) : 0);
    }
    W result = 1;
    for (uint64 rest = (uint64) exponent; rest > 0; rest >>= 1) {
      result = rest & 1 ? result * base : result;
      base = base * base;
    }
    return result;
  }
}

}  // namespace element
