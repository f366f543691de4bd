// Attention as in attention.cu, of halves and on tensor cores (sm_80 and later): attention_fragments.cuh says what a
// warp does. Where queries are few, several warps take the same ones and look at different keys of a tile; what they
// mixed is joined in their order. Keys and values have a tile each: the next keys come while values are mixed, the next
// values while scores are computed. The order of summing depends on the extents alone.
#include "attention_fragments.cuh"
#include "copy.cuh"

#define TENSOR_THREADS 128

// The shared memory of a block. Parts hold what was mixed by warps that look at other keys than the first ones.
template <int DOWN, int OTHERS, int KEYS, int SIZE>
union __align__(16) TensorMemory {
  struct {
    TileRow<SIZE> keys[KEYS];
    TileRow<SIZE> values[KEYS];
    float mask[KEYS];  // where it is the same for all queries
  } tiles;
  float parts[OTHERS > 0 ? OTHERS : 1][DOWN][OTHERS > 0 ? sizeof(MixedFragments<SIZE>) / sizeof(float) : 1][WARP];
};

// Rows of an operand, and whether they can be copied sixteen bytes at a time.
struct Copied {
  const VALUE* from;
  int64 stride;
  int64 rows;
  int64 size;
  bool by_sixteen;

  __device__ __forceinline__ static Copied of(const VALUE* from, int64 stride, int64 rows, int64 size) {
    uint64 places = (uint64) from | (uint64) (stride * sizeof(VALUE)) | (uint64) (size * sizeof(VALUE));
    return {from, stride, rows, size, places % 16 == 0};
  }

  // Starts to copy rows [first, first + KEYS) to a tile, with zeros around them.
  template <int KEYS, int SIZE>
  __device__ __forceinline__ void bring(TileRow<SIZE> (&tile)[KEYS], int64 first, Copies& copies) const {
    if (by_sixteen) {
      constexpr int ACROSS_ROW = SIZE / 8;
      constexpr int APART = TENSOR_THREADS / ACROSS_ROW;
      static_assert(TENSOR_THREADS % ACROSS_ROW == 0 && KEYS % APART == 0, "all threads copy as much");
      int row = threadIdx.x / ACROSS_ROW;
      int column = threadIdx.x % ACROSS_ROW * 8;
      const VALUE* at = from + (first + row) * stride + column;
      int left = column >= size || first + row >= rows ? 0 : rows - first > KEYS ? KEYS : (int) (rows - first);
#pragma unroll
      for (int n = 0; n < KEYS; n += APART) {
        bool wanted = row + n < left;
        copies.start(&tile[row + n].elements[column], wanted ? at : from, wanted);
        at += APART * stride;
      }
    } else {
      for (int n = threadIdx.x; n < KEYS * SIZE; n += TENSOR_THREADS) {
        int row = n / SIZE;
        int column = n % SIZE;
        tile[row].elements[column] = first + row < rows && column < size
            ? from[(first + row) * stride + column]
            : narrow<VALUE>(0.0f);
      }
    }
    copies.end_group();
  }
};

// Whether an element of a tile that this thread looks at is infinite or NaN. All threads together look at the whole
// tile.
template <int KEYS, int SIZE>
__device__ __forceinline__ bool has_odd(const TileRow<SIZE> (&tile)[KEYS]) {
  constexpr int ACROSS_ROW = SIZE / 8;
  bool odd = false;
#pragma unroll 1
  for (int n = threadIdx.x; n < KEYS * ACROSS_ROW; n += TENSOR_THREADS) {
    SixteenBytes some = *(const SixteenBytes*) &tile[n / ACROSS_ROW].elements[n % ACROSS_ROW * 8];
#pragma unroll
    for (int half = 0; half < 2; half++) {
      odd |= is_odd((uint32) some.halves[half]) || is_odd((uint32) (some.halves[half] >> 32));
    }
  }
  return odd;
}

// A block of DOWN times ACROSS warps takes 16 * DOWN queries; of each KEYS keys a warp looks at KEYS / ACROSS. Heads
// have up to SIZE elements.
template <int DOWN, int ACROSS, int KEYS, int SIZE>
struct TensorBlock {
  static constexpr int QUERIES = FRAGMENT_ROWS * DOWN;
  static_assert(WARP * DOWN * ACROSS == TENSOR_THREADS, "all blocks have as many threads");
  static_assert(KEYS % QUERIES == 0, "causal queries of a block begin and end in one tile of keys, their last");
  static constexpr int OWN_KEYS = KEYS / ACROSS;
  typedef TensorMemory<DOWN, ACROSS - 1, KEYS, SIZE> Memory;

  const AttentionPlan& plan;
  const void* mask;
  float scale;
  Memory& memory;
  int lane;
  int down;
  int across;

  // The number that a mask adds for the thread's key of a tile, where it is the same for all queries.
  __device__ __forceinline__ float mask_of_key(const AttentionTask& task, int64 first_key) const {
    int64 key = first_key + threadIdx.x;
    return mask != nullptr && plan.mask[2] == 0 && threadIdx.x < KEYS && key < plan.keys
        ? masked(0.0f, mask, task.mask_at + key * plan.mask[3], plan.counting != 0)
        : 0.0f;
  }

  // The steps after the products of queries and keys; row and key are the thread's first ones.
  __device__ __forceinline__ void share_among_keys(ScoreFragments<OWN_KEYS>& scores, MixedFragments<SIZE>& mixed,
      const AttentionTask& task, int64 row, int64 key, const float* mask_of_keys) const {
    int left[2];
#pragma unroll
    for (int half = 0; half < 2; half++) {
      int64 own = row + half * 8;
      int64 end = own >= plan.queries ? 0 : plan.causal && own + 1 < plan.keys ? own + 1 : plan.keys;
      left[half] = end <= key ? 0 : end - key > OWN_KEYS ? OWN_KEYS : (int) (end - key);
    }
#pragma unroll
    for (int j = 0; j < OWN_KEYS / 8; j++) {
#pragma unroll
      for (int e = 0; e < 4; e++) {
        scores.of[j][e] *= scale;
      }
    }
    if (mask != nullptr) {
      add_mask(scores, plan, mask, task.mask_at + row * plan.mask[2] + key * plan.mask[3], mask_of_keys, left);
    }
    cut(scores, left);
    share(scores, mixed);
  }

  __device__ __forceinline__ void attend(const AttentionTask& task) const {
    int64 row = task.first + down * FRAGMENT_ROWS + lane / 4;
    int own_key = across * OWN_KEYS + lane % 4 * 2;
    Copied keys = Copied::of(task.keys, plan.key.row, plan.keys, plan.size);
    Copied values = Copied::of(task.values, plan.value.row, plan.keys, plan.value_size);
    Copies copies;
    keys.bring(memory.tiles.keys, 0, copies);
    values.bring(memory.tiles.values, 0, copies);
    float added = mask_of_key(task, 0);
    QueryFragments<SIZE> queries;
    fetch(queries, task.queries, row, plan, Copied::of(task.queries, plan.query.row, 0, plan.size).by_sixteen);
    MixedFragments<SIZE> mixed = {};
    mixed.most[0] = least();
    mixed.most[1] = least();
    for (int64 from = 0; from < task.end; from += KEYS) {
      if (threadIdx.x < KEYS) {
        memory.tiles.mask[threadIdx.x] = added;
      }
      if (from == 0) {
        copies.template wait<1>();
      } else {
        copies.template wait<0>();
      }
      __syncthreads();
      if (from > 0) {
        values.bring(memory.tiles.values, from, copies);
      }
      ScoreFragments<OWN_KEYS> scores = {};
      multiply_keys(scores, queries, memory.tiles.keys + across * OWN_KEYS);
      share_among_keys(scores, mixed, task, row, from + own_key, memory.tiles.mask + own_key);
      copies.template wait<0>();
      __syncthreads();
      if (from + KEYS < task.end) {
        keys.bring(memory.tiles.keys, from + KEYS, copies);
        added = mask_of_key(task, from + KEYS);
      }
      const TileRow<SIZE>* own_values = memory.tiles.values + across * OWN_KEYS;
      // Only in the last tile do some queries look at values that lie behind other queries.
      if (plan.causal && from + KEYS >= task.end && __syncthreads_or(has_odd(memory.tiles.values))) {
        // Computed anew, not from `row`, which would need one register too many.
        int first = (int) (task.first - from) + down * FRAGMENT_ROWS + lane / 4;
        multiply_values_before(mixed, scores, own_values, first - across * OWN_KEYS);
        break;
      }
      multiply_values(mixed, scores, own_values);
    }
    copies.template wait<0>();
    __syncthreads();
    if constexpr (ACROSS > 1) {
      join_parts(mixed);
    }
    if (across == 0) {
      write(mixed, task.results, plan, row);
    }
  }

  // Adds what the others mixed to the first of the warps that take the same queries.
  __device__ __forceinline__ void join_parts(MixedFragments<SIZE>& mixed) const {
    if (across > 0) {
      auto& part = memory.parts[across - 1][down];
      part[0][lane] = mixed.most[0];
      part[1][lane] = mixed.most[1];
#pragma unroll
      for (int n = 0; n <= SIZE / 8; n++) {
#pragma unroll
        for (int e = 0; e < 4; e++) {
          part[2 + n * 4 + e][lane] = mixed.of[n][e];
        }
      }
    }
    __syncthreads();
    for (int other = 0; across == 0 && other < ACROSS - 1; other++) {
      join(mixed, &memory.parts[other][down][0][lane], WARP);
    }
  }
};

template <int DOWN, int ACROSS, int KEYS, int SIZE>
__device__ __forceinline__ void attend(const VALUE* query, const VALUE* key, const VALUE* value, const void* mask,
    VALUE* result, const AttentionPlan& plan, float scale) {
  typedef TensorBlock<DOWN, ACROSS, KEYS, SIZE> Block;
  __shared__ typename Block::Memory memory;
  int warp = threadIdx.x / WARP;
  Block block = {plan, mask, scale, memory, (int) threadIdx.x % WARP, warp % DOWN, warp / DOWN};
  for (int64 index = blockIdx.x; index < attention_tasks(plan, Block::QUERIES); index += gridDim.x) {
    block.attend(attention_task(plan, index, Block::QUERIES, query, key, value, result));
    __syncthreads();
  }
}

// AttentionBlocks has the numbers of threads and queries, too.
#define TENSOR_ATTENTION(name, blocks, down, across, keys, size) \
  extern "C" __global__ void __launch_bounds__(TENSOR_THREADS, blocks) name(const VALUE* __restrict__ query, \
      const VALUE* __restrict__ key, const VALUE* __restrict__ value, const void* __restrict__ mask, \
      VALUE* __restrict__ result, AttentionPlan plan, float scale) { \
    attend<down, across, keys, size>(query, key, value, mask, result, plan, scale); \
  }

TENSOR_ATTENTION(tensor_attention_few_64, 3, 1, 4, 128, 64)
TENSOR_ATTENTION(tensor_attention_many_64, 3, 4, 1, 64, 64)
TENSOR_ATTENTION(tensor_attention_few_128, 2, 1, 4, 64, 128)
TENSOR_ATTENTION(tensor_attention_many_128, 2, 4, 1, 64, 128)
