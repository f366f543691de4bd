// What NVRTC has built in, for g++: included before every kernel source. No standard header, as NVRTC has none.
// The simulated NVRTC reads the words __global__, __device__, __host__, __constant__, __shared__, __launch_bounds__ and
// __grid_constant__ itself, so these files don't use them.
#pragma once
#include "cairn_kernel_abi.h"

#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 6
#define __CAIRN_SIM__ 1
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __inline_hint__ inline
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_assume(condition) ((void)0)
#define __nv_pure__ __attribute__((pure))

#define CAIRN_INLINE static inline __attribute__((always_inline, unused))
#define CAIRN_MEMBER inline __attribute__((always_inline))

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long clock_t;

// Each fiber has its own copy of the register, so this is always the thread that runs.
register CairnThread* cairn_thread asm("r15");

template <class To, class From>
CAIRN_INLINE To cairn_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "the same bits");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

#include "cairn_vector_types.h"
#include "cairn_threads.h"
#include "cairn_checks.h"
#include "cairn_warp.h"
#include "cairn_math.h"
#include "cairn_integers.h"
#include "cairn_conversions.h"
#include "cairn_atomics.h"
#include "cairn_memory.h"
#include "cairn_module.h"
