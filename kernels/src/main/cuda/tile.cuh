// Products of matrices by tiles. A block of 256 threads sums a tile of 16 * SIDE rows and columns, SIDE * SIDE results
// a thread, sixteen terms at a time: while a tile's terms are multiplied from shared memory, the next ones are on their
// way into registers. The order of summing depends on the extents alone. Halves are multiplied on tensor cores where a
// device has them for both of their types, as are floats of which 10 bits of fraction are enough (TENSOR_FLOATS).
#pragma once
#include "rounded.cuh"

#if (HALF || defined(TENSOR_FLOATS)) && (defined(__CAIRN_SIM__) || __CUDA_ARCH__ >= 800)
#define TENSOR_CORES 1
#include "fragment.cuh"
#else
#define TENSOR_CORES 0
#endif

#define TERMS 16
#define TILE_THREADS 256

// The type in which terms are summed; whole numbers wrap at their own size.
#if REAL
typedef WIDE Total;
#else
template <int bytes>
struct TotalOf;
template <>
struct TotalOf<4> {
  typedef uint32 type;
};
template <>
struct TotalOf<8> {
  typedef uint64 type;
};
typedef TotalOf<sizeof(VALUE)>::type Total;
#endif

#if TENSOR_CORES
typedef VALUE Held;
__device__ __forceinline__ Held hold(VALUE x) { return for_fragments(x); }
__device__ __forceinline__ Held nothing() { return VALUE(0.0f); }

// Terms lie side by side, as fragments hold them; with 16 bytes more than a step, a warp's threads hit different banks.
template <int SIDE>
struct __align__(16) Tile {
  VALUE values[16 * SIDE][TERMS + 16 / sizeof(VALUE)];
  __device__ __forceinline__ Held& at(int outer, int term) { return values[outer][term]; }
  // The content of a fragment's register: as many neighbouring terms as fit.
  __device__ __forceinline__ uint32 word(int outer, int term) const { return *(const uint32*) &values[outer][term]; }
};

// Two warps lie one below the other, four side by side; the places of a warp are those of fragments.
template <int SIDE>
__device__ __forceinline__ int row_of(int i) {
  return (threadIdx.x >> 5 & 1) * 8 * SIDE + i / 2 * 16 + i % 2 * 8 + (threadIdx.x & 31) / 4;
}
template <int SIDE>
__device__ __forceinline__ int column_of(int j) {
  return (threadIdx.x >> 6) * 4 * SIDE + j / 2 * 8 + (threadIdx.x & 3) * 2 + j % 2;
}

template <int SIDE>
__device__ __forceinline__ void multiply(Total (&sums)[SIDE][SIDE], const Tile<SIDE>& left,
    const Tile<SIDE>& right) {
#pragma unroll
  for (int from = 0; from < TERMS; from += FRAGMENT_TERMS) {
    int term = from + (threadIdx.x & 3) * (FRAGMENT_TERMS / 8);
    uint32 b[SIDE / 2][2];
#pragma unroll
    for (int j = 0; j < SIDE / 2; j++) {
      int column = (threadIdx.x >> 6) * 4 * SIDE + j * 8 + (threadIdx.x & 31) / 4;
      b[j][0] = right.word(column, term);
      b[j][1] = right.word(column, term + FRAGMENT_TERMS / 2);
    }
#pragma unroll
    for (int i = 0; i < SIDE; i += 2) {
      int row = row_of<SIDE>(i);
      uint32 a[4] = {left.word(row, term), left.word(row + 8, term), left.word(row, term + FRAGMENT_TERMS / 2),
          left.word(row + 8, term + FRAGMENT_TERMS / 2)};
#pragma unroll
      for (int j = 0; j < SIDE; j += 2) {
        multiply_fragments(sums[i][j], sums[i][j + 1], sums[i + 1][j], sums[i + 1][j + 1], a, b[j / 2], VALUE());
      }
    }
  }
}
#else
typedef Total Held;
__device__ __forceinline__ Held hold(VALUE x) { return (Total) widen(x); }
__device__ __forceinline__ Held nothing() { return (Total) 0; }

// With four more than a tile, rows begin at multiples of 16 bytes, and threads that write a column hit different banks.
template <int SIDE>
struct __align__(16) Tile {
  Total values[TERMS][16 * SIDE + 4];
  __device__ __forceinline__ Held& at(int outer, int term) { return values[term][outer]; }
};

// A warp's threads lie 4 down, 8 across, so that together they read few different places of a tile; of each 64 rows and
// columns a thread has 4 neighbours.
template <int SIDE>
__device__ __forceinline__ int row_of(int i) {
  return i / 4 * 64 + ((threadIdx.x >> 6) * 4 + (threadIdx.x & 31) / 8) * 4 + i % 4;
}
template <int SIDE>
__device__ __forceinline__ int column_of(int j) {
  return j / 4 * 64 + ((threadIdx.x >> 5 & 1) * 8 + (threadIdx.x & 7)) * 4 + j % 4;
}

template <int SIDE>
__device__ __forceinline__ void multiply(Total (&sums)[SIDE][SIDE], const Tile<SIDE>& left,
    const Tile<SIDE>& right) {
#pragma unroll
  for (int term = 0; term < TERMS; term++) {
    Total a[SIDE];
    Total b[SIDE];
#pragma unroll
    for (int i = 0; i < SIDE; i++) {
      a[i] = left.values[term][row_of<SIDE>(i)];
      b[i] = right.values[term][column_of<SIDE>(i)];
    }
#pragma unroll
    for (int i = 0; i < SIDE; i++) {
#pragma unroll
      for (int j = 0; j < SIDE; j++) {
        sums[i][j] += a[i] * b[j];
      }
    }
  }
}
#endif

template <int SIDE>
struct Tiles {
  Tile<SIDE> left;
  Tile<SIDE> right;
};

// An operand whose element of an outer index, a row or a column, and a term lies at from[outer * outer_stride + term *
// term_stride].
struct Matrix {
  const VALUE* from;
  int64 outer_stride;
  int64 term_stride;
  int outers;
  int first;

  __device__ __forceinline__ void locate(int, int) {}

  // Neighbouring threads read neighbours in memory.
  template <int SIDE>
  __device__ __forceinline__ int outer_of(int i) const {
    return term_stride == 1 ? i / TERMS : i % (16 * SIDE);
  }
  template <int SIDE>
  __device__ __forceinline__ int term_of(int i) const {
    return term_stride == 1 ? i % TERMS : i / (16 * SIDE);
  }

  template <int SIDE>
  __device__ __forceinline__ void fetch(Held (&held)[SIDE], int from_term, int end, int) const {
    int outer = first + outer_of<SIDE>(threadIdx.x);
    int term = from_term + term_of<SIDE>(threadIdx.x);
    int outer_step = term_stride == 1 ? TILE_THREADS / TERMS : 0;
    int term_step = term_stride == 1 ? 0 : TILE_THREADS / (16 * SIDE);
    const VALUE* at = from + outer * outer_stride + term * term_stride;
    int64 step = outer_step * outer_stride + term_step * term_stride;
#pragma unroll
    for (int n = 0; n < SIDE; n++) {
      held[n] = outer < outers && term < end ? hold(*at) : nothing();
      at += step;
      outer += outer_step;
      term += term_step;
    }
  }

  template <int SIDE>
  __device__ __forceinline__ void keep(const Held (&held)[SIDE], Tile<SIDE>& tile) const {
#pragma unroll
    for (int n = 0; n < SIDE; n++) {
      int i = threadIdx.x + n * TILE_THREADS;
      tile.at(outer_of<SIDE>(i), term_of<SIDE>(i)) = held[n];
    }
  }
};

// Adds the products of terms [begin, end) to the sums. All threads of the block must come here.
template <int SIDE, class Left, class Right>
__device__ __forceinline__ void add_terms(Total (&sums)[SIDE][SIDE], Tiles<SIDE>& tiles, Left& left, Right& right,
    int begin, int end) {
  Held of_left[SIDE];
  Held of_right[SIDE];
  right.locate(begin, 0);
  __syncthreads();
  left.template fetch<SIDE>(of_left, begin, end, 0);
  right.template fetch<SIDE>(of_right, begin, end, 0);
  int slot = 0;
  for (int from = begin; from < end; from += TERMS) {
    slot ^= 1;
    left.template keep<SIDE>(of_left, tiles.left);
    right.template keep<SIDE>(of_right, tiles.right);
    right.locate(from + TERMS, slot);
    __syncthreads();
    if (from + TERMS < end) {
      left.template fetch<SIDE>(of_left, from + TERMS, end, slot);
      right.template fetch<SIDE>(of_right, from + TERMS, end, slot);
    }
    multiply<SIDE>(sums, tiles.left, tiles.right);
    __syncthreads();
  }
}

// How results are divided into tiles, and terms into parts that different blocks sum; TilePlan makes it.
struct TilePlan {
  int rows;
  int columns;
  int depth;
  int parts;
  int part_terms;
  int unused;
  int64 batch;
};

// One tile of one part of one product.
struct TileTask {
  int64 product;
  int part;
  int first_row;
  int first_column;
  int begin;
  int end;
};

__device__ __forceinline__ int64 tile_tasks(const TilePlan& plan, int tile) {
  return plan.batch * plan.parts * ((plan.rows + tile - 1) / tile) * ((plan.columns + tile - 1) / tile);
}

__device__ __forceinline__ TileTask tile_task(const TilePlan& plan, int tile, int64 index) {
  int across = (plan.columns + tile - 1) / tile;
  int down = (plan.rows + tile - 1) / tile;
  TileTask task;
  task.first_column = (int) (index % across) * tile;
  index /= across;
  task.first_row = (int) (index % down) * tile;
  index /= down;
  task.part = (int) (index % plan.parts);
  task.product = index / plan.parts;
  task.begin = task.part * plan.part_terms;
  task.end = plan.depth - task.begin < plan.part_terms ? plan.depth : task.begin + plan.part_terms;
  return task;
}

// result = alpha * sum + beta * added
struct Factors {
  float alpha;
  float beta;
};

__device__ __forceinline__ VALUE finished(Total sum, const VALUE* added, int64 at, Factors factors) {
  Total result = times((Total) factors.alpha, sum);
  if (added != nullptr) {
    result += (Total) factors.beta * (Total) widen(added[at]);
  }
  return narrow<VALUE>(result);
}

// What becomes of a finished result: it is stored at its number. A generated source in which functions of single
// elements come first defines all of this before it includes a source of products (CudaEpilogueSource): RESULTS, some
// parameters of a kernel, GIVEN_RESULTS, what is made of them, and read, which fetches what else an element needs.
#ifndef RESULTS
#define RESULTS VALUE* __restrict__ result
#define GIVEN_RESULTS result
typedef VALUE* Results;
struct Read {};
__device__ __forceinline__ Read read(Results, int64) { return Read(); }
__device__ __forceinline__ void store(Results results, int64 at, const Read&, VALUE value) {
  results[at] = value;
}
#endif

// The parts of each result, one after the other.
extern "C" __global__ void __launch_bounds__(TILE_THREADS) join_parts(const Total* __restrict__ sums,
    const VALUE* __restrict__ added, RESULTS, int64 count, int parts, Factors factors, Walk walk) {
  for (EACH(i, count)) {
    Total sum = sums[i];
    for (int part = 1; part < parts; part++) {
      sum += sums[part * count + i];
    }
    int64 from = added == nullptr ? 0 : offsets(walk, i).of[0];
    Results results = GIVEN_RESULTS;
    store(results, i, read(results, i), finished(sum, added, from, factors));
  }
}
