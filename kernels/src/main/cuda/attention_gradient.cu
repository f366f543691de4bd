// The gradient of attention.cu's result, without a matrix of all scores in memory: scores are computed again by tiles
// (T. Dao and others: FlashAttention, 2022). A block has TILE times TILE threads; thread (i, j) computes the score of
// row i of its own tile with row j of the tile that passes by. The first kernel takes queries and goes through the keys
// twice. The first pass computes the Shares of each query, which the second kernel needs too; the second pass computes
// the gradient of the queries. The second kernel takes keys and goes through the queries of all heads that use them, in
// order. The order of summing depends on the extents alone.
#include "attention.cuh"

#define WHOLE_WARP 0xffffffffu
#define IS_DOUBLE (sizeof(WIDE) == 8)
#define MOST_THREADS 256

// The softmax of a query's scores: a key with score x has the share exp(x - base) * inverse. `mean` is the mean of the
// derivatives by the shares, weighted by the shares. Where all keys are masked, `inverse` is 0.
struct Shares {
  WIDE base;
  WIDE inverse;
  WIDE mean;
};

// The odd length of a row keeps threads that read one column in different banks.
template <int TILE, int SIZE>
struct GradientTile {
  WIDE rows[TILE][SIZE + 1];

  // Loads rows [first, first + TILE), each with `size` elements, and zeros around them.
  __device__ __forceinline__ void load(const VALUE* from, int64 stride, int64 first, int64 count, int64 size) {
    for (int i = threadIdx.x; i < TILE * SIZE; i += TILE * TILE) {
      int64 row = first + i / SIZE;
      int column = i % SIZE;
      rows[i / SIZE][column] = row < count && column < size ? (WIDE) widen(from[row * stride + column]) : (WIDE) 0;
    }
  }
};

template <int TILE, int SIZE>
struct GradientTiles {
  GradientTile<TILE, SIZE> queries;
  GradientTile<TILE, SIZE> heads;  // gradients of the results
  GradientTile<TILE, SIZE> keys;
  GradientTile<TILE, SIZE> values;
  WIDE shares[TILE][TILE];
  WIDE slopes[TILE][TILE];
};

// Operands and results of one head, whose keys and values other heads may use too.
struct GradientHead {
  const VALUE* queries;
  const VALUE* heads;
  const VALUE* keys;
  const VALUE* values;
  int64 mask_at;
  int64 shares_at;
};

__device__ __forceinline__ GradientHead gradient_head(const AttentionPlan& plan, int64 batch, int64 head,
    const VALUE* h, const VALUE* query, const VALUE* key, const VALUE* value) {
  int64 key_head = head / (plan.heads / plan.key_heads);
  GradientHead of;
  of.queries = query + batch * plan.query.batch + head * plan.query.head;
  of.heads = h + batch * plan.result.batch + head * plan.result.head;
  of.keys = key + batch * plan.key.batch + key_head * plan.key.head;
  of.values = value + batch * plan.value.batch + key_head * plan.value.head;
  of.mask_at = batch * plan.mask[0] + head * plan.mask[1];
  of.shares_at = (batch * plan.heads + head) * plan.queries;
  return of;
}

__device__ __forceinline__ bool is_looked_at(const AttentionPlan& plan, int64 query, int64 key) {
  return query < plan.queries && key < plan.keys && (!plan.causal || key <= query);
}

template <int SIZE>
__device__ __forceinline__ WIDE product(const WIDE* a, const WIDE* b) {
  WIDE sum = (WIDE) 0;
#pragma unroll 8
  for (int i = 0; i < SIZE; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

// The score of a query and a key that it looks at, by their rows in the tiles.
template <int TILE, int SIZE>
__device__ __forceinline__ WIDE score(const GradientTiles<TILE, SIZE>& tiles, int i, int j, const AttentionPlan& plan,
    const void* mask, int64 mask_at, int64 query, int64 key, float scale) {
  WIDE of = product<SIZE>(tiles.queries.rows[i], tiles.keys.rows[j]) * (WIDE) scale;
  return masked(of, mask, mask_at + query * plan.mask[2] + key * plan.mask[3], plan.counting != 0);
}

// The Shares of a row, joined from the results of its threads, each over other keys.
template <int TILE>
__device__ __forceinline__ Shares joined(WIDE most, WIDE sum, WIDE mean) {
  WIDE all = most;
#pragma unroll
  for (int apart = TILE / 2; apart > 0; apart >>= 1) {
    WIDE other = __shfl_xor_sync(WHOLE_WARP, all, apart);
    all = other > all ? other : all;
  }
  // Minus infinity minus itself would be NaN.
  WIDE factor = most == least() ? (WIDE) 0 : exp(most - all);
  sum *= factor;
  mean *= factor;
#pragma unroll
  for (int apart = TILE / 2; apart > 0; apart >>= 1) {
    sum += __shfl_xor_sync(WHOLE_WARP, sum, apart);
    mean += __shfl_xor_sync(WHOLE_WARP, mean, apart);
  }
  Shares of = {(WIDE) 0, (WIDE) 0, (WIDE) 0};
  // This includes a score that is NaN: then all gradients of the query are NaN, too.
  if (sum != (WIDE) 0) {
    of.base = all;
    of.inverse = (WIDE) 1 / sum;
    of.mean = mean / sum;
  }
  return of;
}

template <int TILE, int SIZE>
__device__ __forceinline__ void gradient_of_queries(const VALUE* h, const VALUE* query, const VALUE* key,
    const VALUE* value, const void* mask, VALUE* result, Shares* shares, const AttentionPlan& plan, float scale) {
  __shared__ GradientTiles<TILE, SIZE> tiles;
  int i = threadIdx.x / TILE;
  int j = threadIdx.x % TILE;
  int64 tasks = (plan.queries + TILE - 1) / TILE;
  for (int64 index = blockIdx.x; index < plan.batch * plan.heads * tasks; index += gridDim.x) {
    int64 batch = index / tasks / plan.heads;
    int64 head = index / tasks % plan.heads;
    int64 first = index % tasks * TILE;
    int64 row = first + i;
    int64 end = plan.causal && first + TILE < plan.keys ? first + TILE : plan.keys;
    GradientHead of = gradient_head(plan, batch, head, h, query, key, value);
    tiles.queries.load(of.queries, plan.query.row, first, plan.queries, plan.size);
    tiles.heads.load(of.heads, plan.result.row, first, plan.queries, plan.value_size);
    WIDE most = least();
    WIDE sum = (WIDE) 0;
    WIDE mean = (WIDE) 0;
    for (int64 from = 0; from < end; from += TILE) {
      tiles.keys.load(of.keys, plan.key.row, from, plan.keys, plan.size);
      tiles.values.load(of.values, plan.value.row, from, plan.keys, plan.value_size);
      __syncthreads();
      if (is_looked_at(plan, row, from + j)) {
        WIDE x = score(tiles, i, j, plan, mask, of.mask_at, row, from + j, scale);
        if (x != least()) {
          WIDE greater = x > most ? x : most;
          WIDE factor = most == least() ? (WIDE) 0 : exp(most - greater);
          WIDE share = exp(x - greater);
          sum = sum * factor + share;
          mean = mean * factor + share * product<SIZE>(tiles.heads.rows[i], tiles.values.rows[j]);
          most = greater;
        }
      }
      __syncthreads();
    }
    Shares own = joined<TILE>(most, sum, mean);
    if (j == 0 && row < plan.queries) {
      shares[of.shares_at + row] = own;
    }
    WIDE sums[SIZE / TILE] = {};
    for (int64 from = 0; from < end; from += TILE) {
      tiles.keys.load(of.keys, plan.key.row, from, plan.keys, plan.size);
      tiles.values.load(of.values, plan.value.row, from, plan.keys, plan.value_size);
      __syncthreads();
      WIDE slope = (WIDE) 0;
      if (is_looked_at(plan, row, from + j) && own.inverse != (WIDE) 0) {
        WIDE x = score(tiles, i, j, plan, mask, of.mask_at, row, from + j, scale);
        slope = exp(x - own.base) * own.inverse * (product<SIZE>(tiles.heads.rows[i], tiles.values.rows[j]) - own.mean)
            * (WIDE) scale;
      }
      tiles.slopes[i][j] = slope;
      __syncthreads();
      for (int k = 0; k < TILE; k++) {
        // Keys that a query does not look at may be NaN.
        if (own.inverse != (WIDE) 0 && is_looked_at(plan, row, from + k)) {
#pragma unroll
          for (int n = 0; n < SIZE / TILE; n++) {
            sums[n] += tiles.slopes[i][k] * tiles.keys.rows[k][j + n * TILE];
          }
        }
      }
      __syncthreads();
    }
    VALUE* to = result + batch * plan.query.batch + head * plan.query.head + row * plan.query.row;
#pragma unroll
    for (int n = 0; n < SIZE / TILE; n++) {
      if (row < plan.queries && j + n * TILE < plan.size) {
        to[j + n * TILE] = narrow<VALUE>(sums[n]);
      }
    }
    __syncthreads();
  }
}

template <int TILE, int SIZE>
__device__ __forceinline__ void gradient_of_keys(const VALUE* h, const VALUE* query, const VALUE* key,
    const VALUE* value, const void* mask, VALUE* of_keys, VALUE* of_values, const Shares* shares,
    const AttentionPlan& plan, float scale) {
  __shared__ GradientTiles<TILE, SIZE> tiles;
  int i = threadIdx.x / TILE;
  int j = threadIdx.x % TILE;
  int64 tasks = (plan.keys + TILE - 1) / TILE;
  for (int64 index = blockIdx.x; index < plan.batch * plan.key_heads * tasks; index += gridDim.x) {
    int64 group = plan.heads / plan.key_heads;
    int64 batch = index / tasks / plan.key_heads;
    int64 key_head = index / tasks % plan.key_heads;
    int64 first = index % tasks * TILE;
    int64 row = first + i;
    GradientHead its = gradient_head(plan, batch, key_head * group, h, query, key, value);
    tiles.keys.load(its.keys, plan.key.row, first, plan.keys, plan.size);
    tiles.values.load(its.values, plan.value.row, first, plan.keys, plan.value_size);
    WIDE key_sums[SIZE / TILE] = {};
    WIDE value_sums[SIZE / TILE] = {};
    for (int64 head = key_head * group; head < (key_head + 1) * group; head++) {
      GradientHead of = gradient_head(plan, batch, head, h, query, key, value);
      for (int64 from = plan.causal ? first : 0; from < plan.queries; from += TILE) {
        tiles.queries.load(of.queries, plan.query.row, from, plan.queries, plan.size);
        tiles.heads.load(of.heads, plan.result.row, from, plan.queries, plan.value_size);
        __syncthreads();
        WIDE share = (WIDE) 0;
        WIDE slope = (WIDE) 0;
        if (is_looked_at(plan, from + j, row)) {
          Shares by = shares[of.shares_at + from + j];
          if (by.inverse != (WIDE) 0) {
            share = exp(score(tiles, j, i, plan, mask, of.mask_at, from + j, row, scale) - by.base) * by.inverse;
            slope = share * (product<SIZE>(tiles.heads.rows[j], tiles.values.rows[i]) - by.mean) * (WIDE) scale;
          }
        }
        tiles.shares[i][j] = share;
        tiles.slopes[i][j] = slope;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
          if (is_looked_at(plan, from + k, row)) {
#pragma unroll
            for (int n = 0; n < SIZE / TILE; n++) {
              key_sums[n] += tiles.slopes[i][k] * tiles.queries.rows[k][j + n * TILE];
              value_sums[n] += tiles.shares[i][k] * tiles.heads.rows[k][j + n * TILE];
            }
          }
        }
        __syncthreads();
      }
    }
    VALUE* to_key = of_keys + batch * plan.key.batch + key_head * plan.key.head + row * plan.key.row;
    VALUE* to_value = of_values + batch * plan.value.batch + key_head * plan.value.head + row * plan.value.row;
#pragma unroll
    for (int n = 0; n < SIZE / TILE; n++) {
      if (row < plan.keys && j + n * TILE < plan.size) {
        to_key[j + n * TILE] = narrow<VALUE>(key_sums[n]);
      }
      if (row < plan.keys && j + n * TILE < plan.value_size) {
        to_value[j + n * TILE] = narrow<VALUE>(value_sums[n]);
      }
    }
    __syncthreads();
  }
}

#define ATTENTION_GRADIENT(room, tile, size) \
  extern "C" __global__ void __launch_bounds__(MOST_THREADS) attention_gradient_queries_##room(const VALUE* h, \
      const VALUE* query, const VALUE* key, const VALUE* value, const void* mask, VALUE* result, Shares* shares, \
      AttentionPlan plan, float scale) { \
    gradient_of_queries<tile, size>(h, query, key, value, mask, result, shares, plan, scale); \
  } \
  extern "C" __global__ void __launch_bounds__(MOST_THREADS) attention_gradient_keys_##room(const VALUE* h, \
      const VALUE* query, const VALUE* key, const VALUE* value, const void* mask, VALUE* of_keys, VALUE* of_values, \
      const Shares* shares, AttentionPlan plan, float scale) { \
    gradient_of_keys<tile, size>(h, query, key, value, mask, of_keys, of_values, shares, plan, scale); \
  }

// Tiles take less than 48 KiB of shared memory, of which doubles take twice as much.
ATTENTION_GRADIENT(64, 16, 64)
ATTENTION_GRADIENT(128, (IS_DOUBLE ? 8 : 16), 128)
ATTENTION_GRADIENT(256, 8, (IS_DOUBLE ? 128 : 256))
