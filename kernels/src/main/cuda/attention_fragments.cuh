// The part of an attention of halves that one warp computes on tensor cores, for 16 queries and the keys and values of
// a tile in shared memory. Queries, scores and mixed values are fragments. Shares, rounded to halves, already lie in
// registers as the left fragments of their product with the values.
#pragma once
#include "attention.cuh"
#include "fragment_load.cuh"

#define WARP 32
#define WHOLE_WARP 0xffffffffu
#define FRAGMENT_ROWS 16

// A row of an operand in shared memory, with up to SIZE elements. It is eight longer, so that rows that a warp reads
// together lie in different banks.
template <int SIZE>
struct TileRow {
  VALUE elements[SIZE + 8];
};

// Fragments of 16 queries.
template <int SIZE>
struct QueryFragments {
  uint32 words[SIZE / FRAGMENT_TERMS][4];
};

// Fragments of 16 queries and so many keys: first products, then scores, then shares.
template <int KEYS>
struct ScoreFragments {
  static_assert(KEYS % FRAGMENT_TERMS == 0, "shares are whole left fragments");
  float of[KEYS / 8][4];
};

// What a thread holds of two rows, lane / 4 and the one 8 below it: the greatest score, the mixed values, and at last
// the sum of the shares.
template <int SIZE>
struct MixedFragments {
  static constexpr int COLUMNS = SIZE / 8;
  float most[2];
  float of[COLUMNS + 1][4];
};

__device__ __forceinline__ void multiply(float (&sums)[4], const uint32 (&left)[4], uint32 right0, uint32 right1) {
  uint32 right[2] = {right0, right1};
  multiply_fragments(sums[0], sums[1], sums[2], sums[3], left, right, VALUE());
}

// e^x with an error of a few roundings of a float, which does not change a half.
__device__ __forceinline__ float exponential(float x) {
  float y = x * 1.4426950408889634f;
#if defined(__CAIRN_SIM__)
  return exp2f(y);
#else
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(y));
  return power;
#endif
}

// The number that is subtracted from scores before exponentials are taken: minus infinity minus itself would be NaN.
__device__ __forceinline__ float base_of(float most) { return most == least() ? 0.0f : most; }

// The maximum over the four threads that share a row of a fragment, without NaN.
__device__ __forceinline__ float greatest_of_row(float x) {
#pragma unroll
  for (int apart = 1; apart < 4; apart <<= 1) {
    x = fmaxf(x, __shfl_xor_sync(WHOLE_WARP, x, apart));
  }
  return x;
}

// Loads queries from global memory, with zeros around them; `row` is the thread's first row.
template <int SIZE>
__device__ __forceinline__ void fetch(QueryFragments<SIZE>& queries, const VALUE* from, int64 row,
    const AttentionPlan& plan, bool by_words) {
#pragma unroll
  for (int step = 0; step < SIZE / FRAGMENT_TERMS; step++) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
      int64 own = row + i % 2 * 8;
      int column = step * FRAGMENT_TERMS + threadIdx.x % 4 * 2 + i / 2 * 8;
      const VALUE* at = from + own * plan.query.row + column;
      uint32 word = 0;
      if (own < plan.queries && column < plan.size) {
        word = by_words
            ? *(const uint32*) at
            : rounded_halves(widen(at[0]), column + 1 < plan.size ? widen(at[1]) : 0.0f, VALUE());
      }
      queries.words[step][i] = word;
    }
  }
}

template <int KEYS, int SIZE>
__device__ __forceinline__ void multiply_keys(ScoreFragments<KEYS>& scores, const QueryFragments<SIZE>& queries,
    const TileRow<SIZE>* keys) {
  int row = (threadIdx.x & 16) / 2 + (threadIdx.x & 7);
  int column = threadIdx.x & 8;
#pragma unroll
  for (int step = 0; step < SIZE / FRAGMENT_TERMS; step++) {
#pragma unroll
    for (int j = 0; j < KEYS / 8; j += 2) {
      uint32 k[4];
      load_fragments(k, &keys[j * 8 + row].elements[step * FRAGMENT_TERMS + column]);
      multiply(scores.of[j], queries.words[step], k[0], k[1]);
      multiply(scores.of[j + 1], queries.words[step], k[2], k[3]);
    }
  }
}

// A column of ones beside the values sums the shares as they were rounded.
template <int KEYS, int SIZE>
__device__ __forceinline__ void multiply_values(MixedFragments<SIZE>& mixed, const ScoreFragments<KEYS>& shares,
    const TileRow<SIZE>* values) {
  int row = threadIdx.x & 15;
  int column = (threadIdx.x & 16) / 2;
  uint32 ones = rounded_halves(1.0f, 1.0f, VALUE());
#pragma unroll
  for (int j = 0; j < KEYS / 8; j += 2) {
    uint32 left[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
      const float(&two)[4] = shares.of[j + i / 2];
      left[i] = rounded_halves(two[i % 2 * 2], two[i % 2 * 2 + 1], VALUE());
    }
#pragma unroll
    for (int n = 0; n < SIZE / 8; n += 2) {
      uint32 v[4];
      load_transposed_fragments(v, &values[j * 8 + row].elements[n * 8 + column]);
      multiply(mixed.of[n], left, v[0], v[1]);
      multiply(mixed.of[n + 1], left, v[2], v[3]);
    }
    multiply(mixed.of[SIZE / 8], left, ones, ones);
  }
}

// Whether one of two halves is infinite or NaN: then all bits of its exponent are set.
__device__ __forceinline__ bool is_odd(uint32 halves) {
  uint32 missing = ~halves & rounded_halves(-least(), -least(), VALUE());
  return (missing & 0xffff) == 0 || missing >> 16 == 0;
}

// Mixes the values where a share of 0 must not be multiplied: for each query only the keys up to its own number. It
// uses no tensor cores, and shares that are not rounded. `row` is the thread's first row, counted from the first of the
// keys.
template <int KEYS, int SIZE>
__device__ __forceinline__ void multiply_values_before(MixedFragments<SIZE>& mixed,
    const ScoreFragments<KEYS>& shares, const TileRow<SIZE>* values, int row) {
#pragma unroll 1
  for (int key = 0; key < KEYS; key++) {
    const VALUE* of_key = &values[key].elements[threadIdx.x % 4 * 2];
#pragma unroll
    for (int half = 0; half < 2; half++) {
      // One of the four threads that share the row has the share. Registers cannot be indexed.
      float share = 0.0f;
#pragma unroll
      for (int j = 0; j < KEYS / 8; j++) {
        float its = key % 2 == 0 ? shares.of[j][2 * half] : shares.of[j][2 * half + 1];
        share = j == key / 8 ? its : share;
      }
      share = __shfl_sync(WHOLE_WARP, share, key % 8 / 2, 4);
      if (key <= row + half * 8) {
#pragma unroll
        for (int n = 0; n < SIZE / 8; n++) {
          mixed.of[n][2 * half] += share * widen(of_key[n * 8]);
          mixed.of[n][2 * half + 1] += share * widen(of_key[n * 8 + 1]);
        }
        mixed.of[SIZE / 8][2 * half] += share;
        mixed.of[SIZE / 8][2 * half + 1] += share;
      }
    }
  }
}

// Applies a mask to scores. Given are the mask's place for the thread's first row and key, and how far both rows look
// from that key on. `of_keys` is what the mask adds at the thread's keys, where it is the same for all queries.
template <int KEYS>
__device__ __forceinline__ void add_mask(ScoreFragments<KEYS>& scores, const AttentionPlan& plan, const void* mask,
    int64 mask_at, const float* of_keys, const int (&left)[2]) {
  bool counting = plan.counting != 0;
#pragma unroll
  for (int j = 0; j < KEYS / 8; j++) {
#pragma unroll
    for (int e = 0; e < 4; e++) {
      int on = j * 8 + e % 2;
      float& score = scores.of[j][e];
      if (plan.mask[2] == 0) {
        // Scores that do not count are not read: they may be NaN.
        score = counting && of_keys[on] == least() ? least() : score + of_keys[on];
      } else if (on < left[e / 2]) {
        score = masked(score, mask, mask_at + e / 2 * 8 * plan.mask[2] + on * plan.mask[3], counting);
      }
    }
  }
}

// Sets the scores of keys that a row does not look at to minus infinity.
template <int KEYS>
__device__ __forceinline__ void cut(ScoreFragments<KEYS>& scores, const int (&left)[2]) {
  constexpr int LAST = KEYS - 8 + 1;
  if (left[0] > LAST && left[1] > LAST) {
    return;
  }
#pragma unroll
  for (int j = 0; j < KEYS / 8; j++) {
#pragma unroll
    for (int e = 0; e < 4; e++) {
      scores.of[j][e] = j * 8 + e % 2 < left[e / 2] ? scores.of[j][e] : least();
    }
  }
}

// Turns scores into shares, and scales the values mixed so far to fit beside them.
template <int KEYS, int SIZE>
__device__ __forceinline__ void share(ScoreFragments<KEYS>& scores, MixedFragments<SIZE>& mixed) {
#pragma unroll
  for (int half = 0; half < 2; half++) {
    float most = mixed.most[half];
#pragma unroll
    for (int j = 0; j < KEYS / 8; j++) {
      most = fmaxf(most, fmaxf(scores.of[j][2 * half], scores.of[j][2 * half + 1]));
    }
    most = greatest_of_row(most);
    float base = base_of(most);
    float factor = exponential(mixed.most[half] - base);
    mixed.most[half] = most;
#pragma unroll
    for (int j = 0; j < KEYS / 8; j++) {
      scores.of[j][2 * half] = exponential(scores.of[j][2 * half] - base);
      scores.of[j][2 * half + 1] = exponential(scores.of[j][2 * half + 1] - base);
    }
#pragma unroll
    for (int n = 0; n <= SIZE / 8; n++) {
      mixed.of[n][2 * half] *= factor;
      mixed.of[n][2 * half + 1] *= factor;
    }
  }
}

// Adds the values that another warp mixed with other keys. `part` has the thread's numbers at equal distances.
template <int SIZE>
__device__ __forceinline__ void join(MixedFragments<SIZE>& mixed, const float* part, int apart) {
  float own[2];
  float added[2];
#pragma unroll
  for (int half = 0; half < 2; half++) {
    float its = part[half * apart];
    float most = fmaxf(its, mixed.most[half]);
    own[half] = exponential(mixed.most[half] - base_of(most));
    added[half] = exponential(its - base_of(most));
    mixed.most[half] = most;
  }
#pragma unroll
  for (int n = 0; n <= SIZE / 8; n++) {
#pragma unroll
    for (int e = 0; e < 4; e++) {
      mixed.of[n][e] = mixed.of[n][e] * own[e / 2] + part[(2 + n * 4 + e) * apart] * added[e / 2];
    }
  }
}

// Writes the mean of values; `row` is the thread's first row.
template <int SIZE>
__device__ __forceinline__ void write(const MixedFragments<SIZE>& mixed, VALUE* result, const AttentionPlan& plan,
    int64 row) {
#pragma unroll
  for (int half = 0; half < 2; half++) {
    float factor = 1.0f / divisor(mixed.of[SIZE / 8][2 * half], plan);
    VALUE* to = result + (row + half * 8) * plan.result.row;
    bool by_words = (((uint64) to | (uint64) (plan.value_size * sizeof(VALUE))) & 3) == 0;
#pragma unroll
    for (int n = 0; n < SIZE / 8; n++) {
      int column = n * 8 + threadIdx.x % 4 * 2;
      float low = mixed.of[n][2 * half] * factor;
      float high = mixed.of[n][2 * half + 1] * factor;
      if (row + half * 8 >= plan.queries || column >= plan.value_size) {
        continue;
      }
      if (by_words) {
        *(uint32*) (to + column) = rounded_halves(low, high, VALUE());
      } else {
        to[column] = narrow<VALUE>(low);
        if (column + 1 < plan.value_size) {
          to[column + 1] = narrow<VALUE>(high);
        }
      }
    }
  }
}
