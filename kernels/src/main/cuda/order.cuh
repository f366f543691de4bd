// Elements as unsigned numbers in the same order, as OrderKeys of the host: a NaN is greater than every number, and the
// two zeros are equal.
#pragma once
#include "join.cuh"

__device__ __forceinline__ uint64 order_key(VALUE element) {
  WIDE value = widen(element);
#if REAL
  if (is_nan(value)) {
    return ~(uint64) 0;
  }
  // A float is exact as a double.
  int64 bits = value == (WIDE) 0 ? 0 : __double_as_longlong((double) value);
  return bits < 0 ? ~(uint64) bits : (uint64) bits | ((uint64) 1 << 63);
#else
  return (VALUE) -1 < (VALUE) 0 ? (uint64) value ^ ((uint64) 1 << 63) : (uint64) value;
#endif
}
