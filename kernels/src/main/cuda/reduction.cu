// Reductions over any axes. Kept axes say where the elements of a result begin, reduced axes where they lie from there.
#include "join.cuh"

// Joins a term of each element x, and finishes what was joined.
#define REDUCTION(name, how, term, finish) \
  extern "C" __global__ void __launch_bounds__(256) name##_by_block(const VALUE* __restrict__ from, \
      VALUE* __restrict__ to, int64 outputs, int64 count, Walk kept, Walk reduced) { \
    for (int64 o = blockIdx.x; o < outputs; o += gridDim.x) { \
      const VALUE* mine = from + offsets(kept, o).of[0]; \
      Joined<how> mine_joined; \
      for (int64 i = threadIdx.x; i < count; i += blockDim.x) { \
        WIDE x = widen(mine[offsets(reduced, i).of[0]]); \
        mine_joined.add((WIDE) (term)); \
      } \
      WIDE joined = joined_in_block<how>(mine_joined.result()); \
      if (threadIdx.x == 0) { \
        to[o] = narrow<VALUE>((WIDE) (finish)); \
      } \
    } \
  } \
  extern "C" __global__ void name##_by_thread(const VALUE* __restrict__ from, VALUE* __restrict__ to, int64 outputs, \
      int64 count, Walk kept, Walk reduced) { \
    for (EACH(o, outputs)) { \
      const VALUE* mine = from + offsets(kept, o).of[0]; \
      Joined<how> mine_joined; \
      for (int64 i = 0; i < count; i++) { \
        WIDE x = widen(mine[offsets(reduced, i).of[0]]); \
        mine_joined.add((WIDE) (term)); \
      } \
      WIDE joined = mine_joined.result(); \
      to[o] = narrow<VALUE>((WIDE) (finish)); \
    } \
  }

REDUCTION(sum, Sum, x, joined)
REDUCTION(product, Product, x, joined)
REDUCTION(maximum, Maximum, x, joined)
REDUCTION(minimum, Minimum, x, joined)
#if REAL
REDUCTION(mean, Sum, x, joined / (WIDE) count)
#else
// Cuts towards zero; the result of no elements is 0.
REDUCTION(mean, Sum, x, joined / (WIDE) (count > 0 ? count : 1))
#endif

#if REAL
// The logarithm of a sum of exponentials, which does not overflow.
struct LogSumExp {
  static __device__ __forceinline__ WIDE first() { return lowest(); }
  static __device__ __forceinline__ WIDE join(WIDE a, WIDE b) {
    return a == b ? a + (WIDE) 0.69314718055994530942 : (a > b ? a : b) + log1p(exp(-fabs(a - b)));
  }
};
REDUCTION(l1, Sum, fabs(x), joined)
REDUCTION(l2, Sum, x * x, sqrt(joined))
REDUCTION(log_sum, Sum, x, log(joined))
REDUCTION(log_sum_exp, LogSumExp, x, joined)
#else
// Cuts towards zero; NaN becomes 0.
__device__ __forceinline__ int64 whole(double x) {
  return x != x ? 0 : x < -9.2e18 ? (int64) ((uint64) 1 << 63) : (int64) x;
}
REDUCTION(l1, Sum, (VALUE) -1 < (VALUE) 0 && (int64) x < 0 ? 0 - x : x, joined)
REDUCTION(l2, Sum, x * x, whole(sqrt((double) (int64) joined)))
REDUCTION(log_sum, Sum, x, whole(log((double) (int64) joined)))
#endif
REDUCTION(sum_square, Sum, x * x, joined)

// Running sums along lines whose elements are `inner` apart; one thread a line.
extern "C" __global__ void running_sums(const VALUE* __restrict__ from, VALUE* __restrict__ to, int64 lines,
    int64 length, int64 inner, int exclusive, int reverse) {
  for (EACH(line, lines)) {
    int64 base = line / inner * length * inner + line % inner;
    WIDE sum = (WIDE) 0;
    for (int64 step = 0; step < length; step++) {
      int64 at = base + (reverse ? length - 1 - step : step) * inner;
      WIDE term = widen(from[at]);
      to[at] = narrow<VALUE>(exclusive ? sum : sum + term);
      sum = sum + term;
    }
  }
}
