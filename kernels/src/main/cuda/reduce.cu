// Reductions over the last axis. A block takes a row; the order of additions depends on the block's size alone, so that
// the same launch gives the same bits.

__device__ __forceinline__ float warp_sum(float value) {
  for (int apart = 16; apart > 0; apart >>= 1) {
    value += __shfl_down_sync(0xffffffffu, value, apart);
  }
  return value;
}

// Valid in thread 0. Blocks are whole warps, 32 of them at most.
__device__ __forceinline__ float block_sum(float value) {
  __shared__ float of_warp[32];
  int lane = threadIdx.x & 31;
  int warp = threadIdx.x >> 5;
  value = warp_sum(value);
  if (lane == 0) {
    of_warp[warp] = value;
  }
  __syncthreads();
  value = 0.0f;
  if (warp == 0) {
    value = warp_sum(lane < (int) (blockDim.x >> 5) ? of_warp[lane] : 0.0f);
  }
  // The next row's sums must not overtake the reading of these.
  __syncthreads();
  return value;
}

extern "C" __global__ void sum_rows_float(const float* __restrict__ values, float* __restrict__ sums, long long rows,
    long long columns) {
  for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
    const float* mine = values + row * columns;
    float sum = 0.0f;
    for (long long i = threadIdx.x; i < columns; i += blockDim.x) {
      sum += mine[i];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
      sums[row] = sum;
    }
  }
}
