// Casts and powers, which have two element types: VALUE, and OTHER_VALUE with what goes with it.
#include "cairn.cuh"

// Cut towards zero; no number is 0, and what 64 bits don't hold is the nearest end of their range.
__device__ __forceinline__ int64 whole(double x) {
  if (x != x) {
    return 0;
  }
  if (x >= 9223372036854775808.0) {
    return 9223372036854775807LL;
  }
  return x < -9223372036854775808.0 ? -9223372036854775807LL - 1 : (int64) x;
}

// Numbers up to 2^64 in steps: the upper half of the range is not one of int64.
__device__ __forceinline__ uint64 whole_unsigned(double x) {
  return x >= 9223372036854775808.0 ? (uint64) whole(x - 9223372036854775808.0) ^ 0x8000000000000000ULL
                                    : (uint64) whole(x);
}

extern "C" __global__ void cast(const VALUE* __restrict__ from, OTHER_VALUE* __restrict__ to, int64 count) {
  for (EACH(i, count)) {
    WIDE x = widen(from[i]);
#if OTHER_BOOL
    to[i] = x != (WIDE) 0 ? 1 : 0;
#elif OTHER_REAL || !REAL
    to[i] = narrow<OTHER_VALUE>((OTHER_WIDE) x);
#else
    to[i] = sizeof(OTHER_VALUE) == 8 && (OTHER_VALUE) -1 > (OTHER_VALUE) 0
        ? (OTHER_VALUE) whole_unsigned((double) x) : (OTHER_VALUE) whole((double) x);
#endif
  }
}

// Base and exponent stretch to one shape; the result is of the base's type.
#if REAL
__device__ __forceinline__ WIDE power(WIDE base, OTHER_WIDE exponent) {
  return sizeof(OTHER_WIDE) == 8 && OTHER_REAL ? (WIDE) pow((double) base, (double) exponent)
                                               : pow(base, (WIDE) exponent);
}
#elif OTHER_REAL
__device__ __forceinline__ WIDE power(WIDE base, OTHER_WIDE exponent) {
  return (WIDE) whole(pow((double) base, (double) exponent));
}
#else
// Wraps; a negative exponent gives the quotient towards zero.
__device__ __forceinline__ WIDE power(WIDE base, OTHER_WIDE exponent) {
  bool is_signed = (OTHER_WIDE) -1 < (OTHER_WIDE) 1;
  if (is_signed && (int64) exponent < 0) {
    WIDE minus = (WIDE) -1;
    return base == (WIDE) 1 ? (WIDE) 1 : (base == minus && minus < (WIDE) 1 ? ((exponent & 1) ? minus : (WIDE) 1) : 0);
  }
  WIDE result = 1;
  for (uint64 rest = (uint64) exponent; rest > 0; rest >>= 1) {
    result = rest & 1 ? result * base : result;
    base = base * base;
  }
  return result;
}
#endif

extern "C" __global__ void raise(const VALUE* __restrict__ bases, const OTHER_VALUE* __restrict__ exponents,
    VALUE* __restrict__ to, int64 count, Walk walk) {
  for (EACH(i, count)) {
    Offsets at = offsets(walk, i);
    to[i] = narrow<VALUE>(power(widen(bases[at.of[0]]), widen(exponents[at.of[1]])));
  }
}

// start + i * delta, of numbers that may have been computed a moment ago.
extern "C" __global__ void range(const VALUE* __restrict__ start, const VALUE* __restrict__ delta,
    VALUE* __restrict__ to, int64 count) {
  for (EACH(i, count)) {
#if REAL
    to[i] = narrow<VALUE>((WIDE) ((double) widen(*start) + (double) i * (double) widen(*delta)));
#else
    to[i] = narrow<VALUE>(widen(*start) + (WIDE) i * widen(*delta));
#endif
  }
}
