// Terms of a product on tensor cores: sums of 16 x 8 results, 4 a thread of the warp, += 16 rows of left times 8 columns
// of right. Which thread holds what is PTX's. With g = lane / 4, t = lane % 4:
//   mma.m16n8k16, of halves, two neighbouring terms a register, the first in its low half
//     left[0..3]   rows g, g + 8, g, g + 8, of terms 2t, 2t + 1 (0 and 1) and 2t + 8, 2t + 9 (2 and 3)
//     right[0..1]  column g, of terms 2t, 2t + 1 and 2t + 8, 2t + 9
//   mma.m16n8k8, of floats with 10 bits of fraction
//     left[0..3]   rows g, g + 8, g, g + 8, of term t (0 and 1) and t + 4 (2 and 3)
//     right[0..1]  column g, of terms t and t + 4
//   sums[0..3]   row g, columns 2t and 2t + 1, then row g + 8
#pragma once
#include "cairn.cuh"

#define FRAGMENT_ARGUMENTS \
  float& sum0, float& sum1, float& sum2, float& sum3, const uint32 (&left)[4], const uint32 (&right)[2]

#if defined(TENSOR_FLOATS)
#define FRAGMENT_TERMS 8
#else
#define FRAGMENT_TERMS 16
#endif

#if defined(__CAIRN_SIM__)
// For devices without tensor cores: each thread asks the others of its warp for their terms.
#if defined(TENSOR_FLOATS)
__device__ __forceinline__ float for_fragments(float x) {
  uint32 bits = __float_as_uint(x);
  return (bits & 0x7f800000) == 0x7f800000 ? x : __uint_as_float((bits + 0x1000) & ~0x1fffu);
}
__device__ __forceinline__ float joined(uint32 left, uint32 right) {
  return __uint_as_float(left) * __uint_as_float(right);
}
#else
__device__ __forceinline__ VALUE for_fragments(VALUE x) { return x; }
__device__ __forceinline__ float joined(uint32 left, uint32 right) {
  VALUE a[2];
  VALUE b[2];
  __builtin_memcpy(a, &left, sizeof left);
  __builtin_memcpy(b, &right, sizeof right);
  return widen(a[0]) * widen(b[0]) + widen(a[1]) * widen(b[1]);
}
#endif
__device__ inline void multiply_fragments(FRAGMENT_ARGUMENTS, VALUE) {
  int row = (threadIdx.x & 31) / 4;
  int column = (threadIdx.x & 3) * 2;
  float* sums[4] = {&sum0, &sum1, &sum2, &sum3};
  for (int holder = 0; holder < 4; holder++) {
    uint32 of_left[4];
    for (int i = 0; i < 4; i++) {
      of_left[i] = __shfl_sync(0xffffffffu, left[i], row * 4 + holder);
    }
    for (int j = 0; j < 2; j++) {
      for (int i = 0; i < 2; i++) {
        uint32 of_right = __shfl_sync(0xffffffffu, right[i], (column + j) * 4 + holder);
        *sums[j] += joined(of_left[2 * i], of_right);
        *sums[2 + j] += joined(of_left[2 * i + 1], of_right);
      }
    }
  }
}
#else
#define MULTIPLY_FRAGMENTS(type, shape, name) \
  __device__ __forceinline__ void multiply_fragments(FRAGMENT_ARGUMENTS, type) { \
    asm volatile("mma.sync.aligned." shape ".row.col.f32." name "." name ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, " \
        "{%8, %9}, {%0, %1, %2, %3};" \
        : "+f"(sum0), "+f"(sum1), "+f"(sum2), "+f"(sum3) \
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1])); \
  }
#if defined(TENSOR_FLOATS)
MULTIPLY_FRAGMENTS(float, "m16n8k8", "tf32")
__device__ __forceinline__ float for_fragments(float x) {
  uint32 bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return __uint_as_float(bits);
}
#else
MULTIPLY_FRAGMENTS(__half, "m16n8k16", "f16")
MULTIPLY_FRAGMENTS(__nv_bfloat16, "m16n8k16", "bf16")
__device__ __forceinline__ VALUE for_fragments(VALUE x) { return x; }
#endif
#endif
