// Fragments of halves (fragment.cuh) from shared memory and from sums. A warp reads four matrices of 8 x 8 at once:
// thread 8m + r says where row r of matrix m begins, at a multiple of 16 bytes. With g = lane / 4, t = lane % 4,
// register m then holds
//   load_fragments             row g, columns 2t and 2t + 1
//   load_transposed_fragments  column g, rows 2t and 2t + 1
#pragma once
#include "fragment.cuh"

#if defined(__CAIRN_SIM__)
__device__ inline uint32 joined_halves(VALUE low, VALUE high) {
  VALUE both[2] = {low, high};
  uint32 word;
  __builtin_memcpy(&word, both, sizeof word);
  return word;
}

__device__ inline const VALUE* row_of_matrix(const VALUE* row, int matrix, int number) {
  if ((uint64) row % 16 != 0) {
    __trap();
  }
  return (const VALUE*) __shfl_sync(0xffffffffu, (uint64) row, matrix * 8 + number);
}

// On the simulator, later warps fall behind. So it shows when others write over what they still read; otherwise all
// warps go at one pace.
__device__ inline void fall_behind() {
  for (int warp = threadIdx.x / 32; warp > 0; warp--) {
    __syncwarp();
  }
}

__device__ inline void load_fragments(uint32 (&to)[4], const VALUE* row) {
  int g = (threadIdx.x & 31) / 4;
  int t = threadIdx.x & 3;
  fall_behind();
  for (int m = 0; m < 4; m++) {
    const VALUE* from = row_of_matrix(row, m, g);
    to[m] = joined_halves(from[2 * t], from[2 * t + 1]);
  }
}

__device__ inline void load_transposed_fragments(uint32 (&to)[4], const VALUE* row) {
  int g = (threadIdx.x & 31) / 4;
  int t = threadIdx.x & 3;
  fall_behind();
  for (int m = 0; m < 4; m++) {
    VALUE low = row_of_matrix(row, m, 2 * t)[g];
    to[m] = joined_halves(low, row_of_matrix(row, m, 2 * t + 1)[g]);
  }
}

__device__ inline uint32 rounded_halves(float low, float high, VALUE) {
  return joined_halves(narrow<VALUE>(low), narrow<VALUE>(high));
}
#else
#define LOAD_FRAGMENTS(name, how) \
  __device__ __forceinline__ void name(uint32 (&to)[4], const VALUE* row) { \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4" how ".shared.b16 {%0, %1, %2, %3}, [%4];" \
        : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) \
        : "r"((uint32) __cvta_generic_to_shared(row))); \
  }
LOAD_FRAGMENTS(load_fragments, "")
LOAD_FRAGMENTS(load_transposed_fragments, ".trans")

// Two sums as a register of a fragment, each rounded to nearest even.
#define ROUNDED_HALVES(type, name) \
  __device__ __forceinline__ uint32 rounded_halves(float low, float high, type) { \
    uint32 word; \
    asm("cvt.rn." name ".f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low)); \
    return word; \
  }
ROUNDED_HALVES(__half, "f16x2")
ROUNDED_HALVES(__nv_bfloat16, "bf16x2")
#endif
