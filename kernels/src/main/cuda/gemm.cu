// result = alpha * left * right + beta * result, for machines without cuBLAS. A block of 16 x 16 threads computes a tile
// of 64 x 64 results, 4 x 4 a thread, from tiles in shared memory. Strides say where an element lies, so a transposed
// operand is one whose strides are swapped. The grid's third axis is the batch.

#define TILE 64
#define DEPTH 16
#define SIDE 4

extern "C" __global__ void __launch_bounds__(256) gemm_float(const float* __restrict__ left,
    const float* __restrict__ right, float* __restrict__ result, int rows, int columns, int depth,
    long long left_row, long long left_column, long long left_batch, long long right_row, long long right_column,
    long long right_batch, long long result_row, long long result_batch, float alpha, float beta) {
  // One more than a tile: threads that read a column of the left tile hit different banks.
  __shared__ float left_tile[DEPTH][TILE + 1];
  __shared__ float right_tile[DEPTH][TILE];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int thread = ty * 16 + tx;
  int first_row = blockIdx.y * TILE;
  int first_column = blockIdx.x * TILE;
  left += blockIdx.z * left_batch;
  right += blockIdx.z * right_batch;
  result += blockIdx.z * result_batch;

  float sums[SIDE][SIDE] = {};
  for (int from = 0; from < depth; from += DEPTH) {
    for (int i = thread; i < TILE * DEPTH; i += 256) {
      int p = i % DEPTH;
      int r = i / DEPTH;
      bool inside = first_row + r < rows && from + p < depth;
      left_tile[p][r] = inside ? left[(first_row + r) * left_row + (from + p) * left_column] : 0.0f;
      int c = i % TILE;
      int q = i / TILE;
      inside = first_column + c < columns && from + q < depth;
      right_tile[q][c] = inside ? right[(from + q) * right_row + (first_column + c) * right_column] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < DEPTH; p++) {
      float of_left[SIDE];
      float of_right[SIDE];
#pragma unroll
      for (int i = 0; i < SIDE; i++) {
        of_left[i] = left_tile[p][ty + 16 * i];
        of_right[i] = right_tile[p][tx + 16 * i];
      }
#pragma unroll
      for (int i = 0; i < SIDE; i++) {
#pragma unroll
        for (int j = 0; j < SIDE; j++) {
          sums[i][j] = fmaf(of_left[i], of_right[j], sums[i][j]);
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < SIDE; i++) {
#pragma unroll
    for (int j = 0; j < SIDE; j++) {
      int row = first_row + ty + 16 * i;
      int column = first_column + tx + 16 * j;
      if (row < rows && column < columns) {
        float* at = result + row * result_row + column;
        // With beta zero the old values don't count, not even where they are no numbers.
        *at = beta == 0.0f ? alpha * sums[i][j] : fmaf(beta, *at, alpha * sums[i][j]);
      }
    }
  }
}
