// What generated kernels of fused operators include: CudaPointwiseSource writes them.
#pragma once
#include "pointwise.cuh"

// Four neighbours that are loaded and stored as one.
template <typename T>
struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) Four {
  T of[4];
};

// Offsets are computed from numbers that need not have 64 bits: divisions are faster then.
template <typename I>
__device__ __forceinline__ void locate(const Walk& walk, I index, I* at) {
  at[0] = at[1] = at[2] = 0;
  for (int axis = (int) walk.axes - 1; axis >= 0; axis--) {
    I position = index;
    if (axis > 0) {
      I extent = (I) walk.extents[axis];
      I outer = index / extent;
      position = index - outer * extent;
      index = outer;
    }
#pragma unroll
    for (int k = 0; k < 3; k++) {
      at[k] += position * (I) walk.strides[k][axis];
    }
  }
}
