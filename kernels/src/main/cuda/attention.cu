// Softmax of scaled products of queries and keys, times values, without a matrix of all scores in memory. A block of 16
// times 16 threads takes some queries of one head and goes through the keys a tile at a time; the sum of what was mixed
// so far shrinks when a greater score turns up (M. Milakov and N. Gimelshein: Online normalizer calculation for
// softmax, 2018; T. Dao and others: FlashAttention, 2022). The 16 threads that share their queries are half a warp.
// Keys and values take turns in one tile, the next of them on the way in registers meanwhile. The order of summing
// depends on the extents alone.
#include "attention.cuh"

#define ATTENTION_THREADS 256
#define SIDE 16
#define WHOLE_WARP 0xffffffffu

struct __align__(16) Four {
  WIDE x[4];
};

__device__ __forceinline__ WIDE greatest_of_half_warp(WIDE x) {
#pragma unroll
  for (int apart = SIDE / 2; apart > 0; apart >>= 1) {
    WIDE other = __shfl_xor_sync(WHOLE_WARP, x, apart);
    x = other > x ? other : x;
  }
  return x;
}
__device__ __forceinline__ WIDE sum_of_half_warp(WIDE x) {
#pragma unroll
  for (int apart = SIDE / 2; apart > 0; apart >>= 1) {
    x += __shfl_xor_sync(WHOLE_WARP, x, apart);
  }
  return x;
}

// Rows of an operand on their way to shared memory. The threads of a warp take neighbouring elements of a row; zeros
// lie around the rows.
template <int ROWS, int SIZE>
struct Held {
  static constexpr int COUNT = ROWS * SIZE / ATTENTION_THREADS;
  static constexpr int APART = ATTENTION_THREADS / SIZE;
  VALUE values[COUNT];

  // Loads rows [first, rows), each with `size` elements.
  __device__ __forceinline__ void fetch(const VALUE* from, int64 stride, int64 first, int64 rows, int64 size) {
    int column = threadIdx.x % SIZE;
    int64 row = first + threadIdx.x / SIZE;
    const VALUE* at = from + row * stride + column;
    int left = column >= size || row >= rows ? 0 : rows - row > ROWS ? ROWS : (int) (rows - row);
#pragma unroll
    for (int n = 0; n < COUNT; n++) {
      values[n] = n * APART < left ? *at : narrow<VALUE>((WIDE) 0);
      at += APART * stride;
    }
  }

  // Whether an element is infinite or NaN. Then a share of 0 times this element is not 0.
  __device__ __forceinline__ bool is_odd() const {
    bool odd = false;
#pragma unroll
    for (int n = 0; n < COUNT; n++) {
      odd |= widen(values[n]) * (WIDE) 0 != (WIDE) 0;
    }
    return odd;
  }

  __device__ __forceinline__ void keep(WIDE (*tile)[SIZE + 4]) const {
#pragma unroll
    for (int n = 0; n < COUNT; n++) {
      tile[threadIdx.x / SIZE + n * APART][threadIdx.x % SIZE] = widen(values[n]);
    }
  }
};

// The tiles of a block: 16 * DOWN queries, 16 * ACROSS keys, and heads of up to SIZE elements.
template <int DOWN, int ACROSS, int SIZE>
struct __align__(16) AttentionTile {
  WIDE queries[SIDE * DOWN][SIZE + 4];
  WIDE others[SIDE * ACROSS][SIZE + 4];
  WIDE shares[SIDE * DOWN][SIDE * ACROSS + 4];
};

// What a thread keeps for its queries: the greatest score, the sum of all shares, and the values mixed by these shares.
template <int DOWN, int SIZE>
struct Mixed {
  WIDE most[DOWN];
  WIDE sum[DOWN];
  WIDE values[DOWN][SIZE / SIDE];
};

template <int DOWN, int ACROSS, int SIZE>
__device__ __forceinline__ void multiply_keys(WIDE (&scores)[DOWN][ACROSS],
    const AttentionTile<DOWN, ACROSS, SIZE>& tile) {
  int down = threadIdx.x / SIDE * DOWN;
  int across = threadIdx.x % SIDE;
#pragma unroll 4
  for (int term = 0; term < SIZE; term += 4) {
    Four k[ACROSS];
#pragma unroll
    for (int j = 0; j < ACROSS; j++) {
      k[j] = *(const Four*) &tile.others[across + j * SIDE][term];
    }
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
      Four q = *(const Four*) &tile.queries[down + i][term];
#pragma unroll
      for (int j = 0; j < ACROSS; j++) {
        scores[i][j] += q.x[0] * k[j].x[0] + q.x[1] * k[j].x[1] + q.x[2] * k[j].x[2] + q.x[3] * k[j].x[3];
      }
    }
  }
}

template <int DOWN, int ACROSS, int SIZE>
__device__ __forceinline__ void multiply_values(Mixed<DOWN, SIZE>& mixed,
    const AttentionTile<DOWN, ACROSS, SIZE>& tile) {
  int down = threadIdx.x / SIDE * DOWN;
  int across = threadIdx.x % SIDE * 4;
#pragma unroll 2
  for (int key = 0; key < SIDE * ACROSS; key += 4) {
    Four shares[DOWN];
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
      shares[i] = *(const Four*) &tile.shares[down + i][key];
    }
#pragma unroll
    for (int n = 0; n < SIZE / SIDE; n += 4) {
#pragma unroll
      for (int k = 0; k < 4; k++) {
        Four v = *(const Four*) &tile.others[key + k][across + n * SIDE];
#pragma unroll
        for (int i = 0; i < DOWN; i++) {
#pragma unroll
          for (int e = 0; e < 4; e++) {
            mixed.values[i][n + e] += shares[i].x[k] * v.x[e];
          }
        }
      }
    }
  }
}

// Mixes the values where a share of 0 must not be multiplied: for each query only the keys up to its own number.
template <int DOWN, int ACROSS, int SIZE>
__device__ __forceinline__ void multiply_values_before(Mixed<DOWN, SIZE>& mixed,
    const AttentionTile<DOWN, ACROSS, SIZE>& tile, int64 query, int64 first_key) {
  int down = threadIdx.x / SIDE * DOWN;
  int across = threadIdx.x % SIDE * 4;
#pragma unroll 1
  for (int key = 0; key < SIDE * ACROSS; key++) {
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
      if (first_key + key <= query + down + i) {
        WIDE share = tile.shares[down + i][key];
#pragma unroll
        for (int n = 0; n < SIZE / SIDE; n++) {
          mixed.values[i][n] += share * tile.others[key][across + n / 4 * 4 * SIDE + n % 4];
        }
      }
    }
  }
}

// Turns the products of a tile into shares, and scales the values mixed so far to fit beside them.
template <int DOWN, int ACROSS, int SIZE>
__device__ __forceinline__ void share(WIDE (&scores)[DOWN][ACROSS], Mixed<DOWN, SIZE>& mixed,
    AttentionTile<DOWN, ACROSS, SIZE>& tile, const AttentionPlan& plan, const void* mask, int64 mask_at, int64 query,
    int64 first_key, float scale) {
  int down = threadIdx.x / SIDE * DOWN;
  int across = threadIdx.x % SIDE;
#pragma unroll
  for (int i = 0; i < DOWN; i++) {
    int64 row = query + down + i;
    WIDE most = mixed.most[i];
#pragma unroll
    for (int j = 0; j < ACROSS; j++) {
      int64 key = first_key + across + j * SIDE;
      bool is_looked_at = row < plan.queries && key < plan.keys && (!plan.causal || key <= row);
      scores[i][j] = is_looked_at
          ? masked(scores[i][j] * (WIDE) scale, mask, mask_at + row * plan.mask[2] + key * plan.mask[3],
              plan.counting != 0)
          : least();
      most = scores[i][j] > most ? scores[i][j] : most;
    }
    most = greatest_of_half_warp(most);
    // Minus infinity minus itself would be NaN.
    bool is_nothing = most == least();
    WIDE factor = is_nothing ? (WIDE) 1 : exp(mixed.most[i] - most);
    WIDE sum = (WIDE) 0;
#pragma unroll
    for (int j = 0; j < ACROSS; j++) {
      WIDE share = is_nothing && scores[i][j] == least() ? (WIDE) 0 : exp(scores[i][j] - most);
      tile.shares[down + i][across + j * SIDE] = share;
      sum += share;
    }
    mixed.most[i] = most;
    mixed.sum[i] = mixed.sum[i] * factor + sum_of_half_warp(sum);
#pragma unroll
    for (int n = 0; n < SIZE / SIDE; n++) {
      mixed.values[i][n] *= factor;
    }
  }
}

template <int DOWN, int SIZE>
__device__ __forceinline__ void write(const Mixed<DOWN, SIZE>& mixed, VALUE* result, const AttentionPlan& plan,
    int64 query) {
#pragma unroll
  for (int i = 0; i < DOWN; i++) {
    int64 row = query + threadIdx.x / SIDE * DOWN + i;
#pragma unroll
    for (int n = 0; n < SIZE / SIDE; n++) {
      int column = threadIdx.x % SIDE * 4 + n / 4 * 4 * SIDE + n % 4;
      if (row < plan.queries && column < plan.value_size) {
        WIDE sum = divisor(mixed.sum[i], plan);
        result[row * plan.result.row + column] = narrow<VALUE>(mixed.values[i][n] / sum);
      }
    }
  }
}

template <int DOWN, int ACROSS, int SIZE>
__device__ __forceinline__ void attend(const VALUE* query, const VALUE* key, const VALUE* value, const void* mask,
    VALUE* result, const AttentionPlan& plan, float scale) {
  __shared__ AttentionTile<DOWN, ACROSS, SIZE> tile;
  constexpr int QUERIES = SIDE * DOWN;
  constexpr int KEYS = SIDE * ACROSS;
  for (int64 index = blockIdx.x; index < attention_tasks(plan, QUERIES); index += gridDim.x) {
    AttentionTask task = attention_task(plan, index, QUERIES, query, key, value, result);
    Held<QUERIES, SIZE> of_queries;
    of_queries.fetch(task.queries, plan.query.row, task.first, plan.queries, plan.size);
    of_queries.keep(tile.queries);
    Mixed<DOWN, SIZE> mixed = {};
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
      mixed.most[i] = least();
    }
    Held<KEYS, SIZE> held;
    held.fetch(task.keys, plan.key.row, 0, plan.keys, plan.size);
    for (int64 from = 0; from < task.end; from += KEYS) {
      held.keep(tile.others);
      __syncthreads();
      held.fetch(task.values, plan.value.row, from, plan.keys, plan.value_size);
      WIDE scores[DOWN][ACROSS] = {};
      multiply_keys<DOWN, ACROSS, SIZE>(scores, tile);
      share<DOWN, ACROSS, SIZE>(scores, mixed, tile, plan, mask, task.mask_at, task.first, from, scale);
      // In this tile some queries look at values that lie behind other queries.
      bool is_edge = plan.causal && from + KEYS > task.first + 1;
      bool is_odd = __syncthreads_or(is_edge && held.is_odd());
      held.keep(tile.others);
      __syncthreads();
      held.fetch(task.keys, plan.key.row, from + KEYS, plan.keys, plan.size);
      if (is_odd) {
        multiply_values_before<DOWN, ACROSS, SIZE>(mixed, tile, task.first, from);
      } else {
        multiply_values<DOWN, ACROSS, SIZE>(mixed, tile);
      }
      __syncthreads();
    }
    write<DOWN, SIZE>(mixed, task.results, plan, task.first);
  }
}

#define ATTENTION(name, down, across, size) \
  extern "C" __global__ void __launch_bounds__(ATTENTION_THREADS, 2) name(const VALUE* __restrict__ query, \
      const VALUE* __restrict__ key, const VALUE* __restrict__ value, const void* __restrict__ mask, \
      VALUE* __restrict__ result, AttentionPlan plan, float scale) { \
    attend<down, across, size>(query, key, value, mask, result, plan, scale); \
  }

// Doubles take twice the shared memory, of which there are 48 KiB.
#define IS_DOUBLE (sizeof(WIDE) == 8)
ATTENTION(attention_few_64, 1, 2, 64)
ATTENTION(attention_many_64, IS_DOUBLE ? 2 : 4, 2, 64)
ATTENTION(attention_few_128, 1, IS_DOUBLE ? 1 : 2, 128)
ATTENTION(attention_many_128, IS_DOUBLE ? 1 : 2, IS_DOUBLE ? 1 : 2, 128)
ATTENTION(attention_few_256, 1, 1, IS_DOUBLE ? 128 : 256)
