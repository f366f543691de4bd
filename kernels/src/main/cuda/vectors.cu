// One result for each element, independent of all others: each thread takes every gridful-th element.

extern "C" __global__ void add_float(const float* __restrict__ left, const float* __restrict__ right,
    float* __restrict__ sum, long long count) {
  long long step = (long long) gridDim.x * blockDim.x;
  for (long long i = (long long) blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
    sum[i] = left[i] + right[i];
  }
}

// sum = scale * left + right
extern "C" __global__ void scaled_add_float(float scale, const float* __restrict__ left,
    const float* __restrict__ right, float* __restrict__ sum, long long count) {
  long long step = (long long) gridDim.x * blockDim.x;
  for (long long i = (long long) blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
    sum[i] = fmaf(scale, left[i], right[i]);
  }
}
