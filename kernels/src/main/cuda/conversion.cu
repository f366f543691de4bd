// Casts and powers, which have two element types: VALUE, and OTHER_VALUE with what goes with it.
#include "pointwise.cuh"

extern "C" __global__ void cast(const VALUE* __restrict__ from, OTHER_VALUE* __restrict__ to, int64 count) {
  for (EACH(i, count)) {
    WIDE x = widen(from[i]);
#if OTHER_BOOL
    to[i] = element::cast_to_bool(x);
#else
    to[i] = element::cast<OTHER_VALUE>(x);
#endif
  }
}

// Base and exponent stretch to one shape; the result is of the base's type.
extern "C" __global__ void raise(const VALUE* __restrict__ bases, const OTHER_VALUE* __restrict__ exponents,
    VALUE* __restrict__ to, int64 count, Walk walk) {
  for (EACH(i, count)) {
    Offsets at = offsets(walk, i);
    to[i] = narrow<VALUE>(element::power(widen(bases[at.of[0]]), widen(exponents[at.of[1]])));
  }
}

// start + i * delta, where start and delta may have been computed just before.
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
