// What all sources of this library share. Each is compiled for one element type: VALUE as it is stored, WIDE as it is
// computed with; REAL, HALF and BOOL say what it is.
#pragma once

// A machine that has NVRTC need not have CUDA's headers.
#if __has_include(<cuda_fp16.h>) && __has_include(<cuda_bf16.h>) && !defined(WITHOUT_CUDA_HEADERS)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#else
struct __half {
  unsigned short bits;
  __half() = default;
  __device__ explicit __half(float x) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x)); }
};
__device__ __forceinline__ float __half2float(__half x) {
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(x.bits));
  return wide;
}
struct __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  // Rounds to nearest even; a NaN keeps its sign and stays NaN. (The instruction for this begins with sm_80.)
  __device__ explicit __nv_bfloat16(float x) {
    unsigned int all = __float_as_uint(x);
    bits = (unsigned short) (x != x ? (all >> 16) | 0x40 : (all + 0x7fff + ((all >> 16) & 1)) >> 16);
  }
};
__device__ __forceinline__ float __bfloat162float(__nv_bfloat16 x) {
  return __uint_as_float((unsigned int) x.bits << 16);
}
#endif

typedef signed char int8;
typedef short int16;
typedef int int32;
typedef long long int64;
typedef unsigned char uint8;
typedef unsigned short uint16;
typedef unsigned int uint32;
typedef unsigned long long uint64;

__device__ __forceinline__ float widen(__half x) { return __half2float(x); }
__device__ __forceinline__ float widen(__nv_bfloat16 x) { return __bfloat162float(x); }
__device__ __forceinline__ float widen(float x) { return x; }
__device__ __forceinline__ double widen(double x) { return x; }
__device__ __forceinline__ int64 widen(int8 x) { return x; }
__device__ __forceinline__ int64 widen(int16 x) { return x; }
__device__ __forceinline__ int64 widen(int32 x) { return x; }
__device__ __forceinline__ int64 widen(int64 x) { return x; }
__device__ __forceinline__ uint64 widen(uint8 x) { return x; }
__device__ __forceinline__ uint64 widen(uint16 x) { return x; }
__device__ __forceinline__ uint64 widen(uint32 x) { return x; }
__device__ __forceinline__ uint64 widen(uint64 x) { return x; }

// narrow<T>(x): whole numbers wrap, halves round once to nearest even.
template <typename T, typename W>
__device__ __forceinline__ T narrow(W x) {
  if constexpr (sizeof(T) == 2 && (W) 0.5 != (W) 0) {
    return T((float) x);
  } else {
    return (T) x;
  }
}

// Where the elements of up to three operands lie; BroadcastWalk makes it.
#define MOST_AXES 8
struct Walk {
  int64 axes;
  int64 extents[MOST_AXES];
  int64 strides[3][MOST_AXES];
};

// The offsets of the element with this number, in the order of the output.
struct Offsets {
  int64 of[3];
};

__device__ __forceinline__ Offsets offsets(const Walk& walk, int64 index) {
  Offsets at = {{0, 0, 0}};
  for (int axis = (int) walk.axes - 1; axis >= 0; axis--) {
    int64 position = index;
    if (axis > 0) {
      int64 extent = walk.extents[axis];
      int64 outer = index / extent;
      position = index - outer * extent;
      index = outer;
    }
#pragma unroll
    for (int k = 0; k < 3; k++) {
      at.of[k] += position * walk.strides[k][axis];
    }
  }
  return at;
}

// for (each element of mine)
#define EACH(i, count) \
  int64 i = (int64) blockIdx.x * blockDim.x + threadIdx.x; i < (count); i += (int64) gridDim.x * blockDim.x
