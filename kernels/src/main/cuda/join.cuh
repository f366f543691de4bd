// Joins many values to one, within a warp and a block. Blocks are whole warps, 32 of them at most; the order of joining
// depends on the block's size alone, so that the same launch gives the same bits.
#pragma once
#include "cairn.cuh"

#define WHOLE_WARP 0xffffffffu

__device__ __forceinline__ bool is_nan(float x) { return x != x; }
__device__ __forceinline__ bool is_nan(double x) { return x != x; }
__device__ __forceinline__ bool is_nan(int64) { return false; }
__device__ __forceinline__ bool is_nan(uint64) { return false; }

// The ends of the stored type's range.
__device__ __forceinline__ WIDE lowest() {
#if REAL
  return (WIDE) __int_as_float(0xff800000);
#else
  return (VALUE) -1 < (VALUE) 0 ? (WIDE) (((uint64) -1) << (8 * sizeof(VALUE) - 1)) : (WIDE) 0;
#endif
}
__device__ __forceinline__ WIDE highest() {
#if REAL
  return (WIDE) __int_as_float(0x7f800000);
#elif BOOL
  return 1;
#else
  return (WIDE) (((uint64) -1) >> (64 - 8 * sizeof(VALUE) + ((VALUE) -1 < (VALUE) 0 ? 1 : 0)));
#endif
}

struct Sum {
  static __device__ __forceinline__ WIDE first() { return (WIDE) 0; }
  static __device__ __forceinline__ WIDE join(WIDE a, WIDE b) { return a + b; }
};

// A sum of many terms. Those of float are added up in parts of 64, whose sums are added in double: one by one, the last
// of a million terms would be added to a number that has no digits left for them.
struct LongSum {
#if REAL
  double total;
  WIDE part;
  int terms;
  __device__ __forceinline__ LongSum() : total(0), part((WIDE) 0), terms(0) {}
  __device__ __forceinline__ void add(WIDE term) {
    part += term;
    if (++terms == 64) {
      total += (double) part;
      part = (WIDE) 0;
      terms = 0;
    }
  }
  __device__ __forceinline__ WIDE sum() const { return (WIDE) (total + (double) part); }
#else
  WIDE part;
  __device__ __forceinline__ LongSum() : part((WIDE) 0) {}
  __device__ __forceinline__ void add(WIDE term) { part += term; }
  __device__ __forceinline__ WIDE sum() const { return part; }
#endif
};

// Joins the terms that one thread reads.
template <typename How>
struct Joined {
  WIDE value = How::first();
  __device__ __forceinline__ void add(WIDE term) { value = How::join(value, term); }
  __device__ __forceinline__ WIDE result() const { return value; }
};
template <>
struct Joined<Sum> {
  LongSum value;
  __device__ __forceinline__ void add(WIDE term) { value.add(term); }
  __device__ __forceinline__ WIDE result() const { return value.sum(); }
};

struct Product {
  static __device__ __forceinline__ WIDE first() { return (WIDE) 1; }
  static __device__ __forceinline__ WIDE join(WIDE a, WIDE b) { return a * b; }
};
// A NaN among the values is the result.
struct Maximum {
  static __device__ __forceinline__ WIDE first() { return lowest(); }
  static __device__ __forceinline__ WIDE join(WIDE a, WIDE b) { return is_nan(a) || a > b ? a : b; }
};
struct Minimum {
  static __device__ __forceinline__ WIDE first() { return highest(); }
  static __device__ __forceinline__ WIDE join(WIDE a, WIDE b) { return is_nan(a) || a < b ? a : b; }
};

template <typename How>
__device__ __forceinline__ WIDE joined_in_warp(WIDE value) {
#pragma unroll
  for (int apart = 16; apart > 0; apart >>= 1) {
    value = How::join(value, __shfl_down_sync(WHOLE_WARP, value, apart));
  }
  return value;
}

// Joins values like the function above, and gives all threads the result. Every thread of the block must come here.
template <typename How>
__device__ __forceinline__ WIDE joined_in_block(WIDE value) {
  __shared__ WIDE of_warp[32];
  int lane = threadIdx.x & 31;
  int warp = threadIdx.x >> 5;
  value = joined_in_warp<How>(value);
  if (lane == 0) {
    of_warp[warp] = value;
  }
  __syncthreads();
  if (warp == 0) {
    value = joined_in_warp<How>(lane < (int) (blockDim.x >> 5) ? of_warp[lane] : How::first());
    if (lane == 0) {
      of_warp[0] = value;
    }
  }
  __syncthreads();
  value = of_warp[0];
  // A thread that comes back here must not write before others have read this value.
  __syncthreads();
  return value;
}
