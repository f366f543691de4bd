// Reductions over any axes. Kept axes say where the elements of a result begin, reduced axes where they lie from there.
#include "join.cuh"

#define REDUCTION(name, how, finish) \
  extern "C" __global__ void __launch_bounds__(256) name##_by_block(const VALUE* __restrict__ from, \
      VALUE* __restrict__ to, int64 outputs, int64 count, Walk kept, Walk reduced) { \
    for (int64 o = blockIdx.x; o < outputs; o += gridDim.x) { \
      const VALUE* mine = from + offsets(kept, o).of[0]; \
      WIDE joined = how::first(); \
      for (int64 i = threadIdx.x; i < count; i += blockDim.x) { \
        joined = how::join(joined, widen(mine[offsets(reduced, i).of[0]])); \
      } \
      joined = joined_in_block<how>(joined); \
      if (threadIdx.x == 0) { \
        to[o] = narrow<VALUE>((WIDE) (finish)); \
      } \
    } \
  } \
  extern "C" __global__ void name##_by_thread(const VALUE* __restrict__ from, VALUE* __restrict__ to, int64 outputs, \
      int64 count, Walk kept, Walk reduced) { \
    for (EACH(o, outputs)) { \
      const VALUE* mine = from + offsets(kept, o).of[0]; \
      WIDE joined = how::first(); \
      for (int64 i = 0; i < count; i++) { \
        joined = how::join(joined, widen(mine[offsets(reduced, i).of[0]])); \
      } \
      to[o] = narrow<VALUE>((WIDE) (finish)); \
    } \
  }

REDUCTION(sum, Sum, joined)
REDUCTION(product, Product, joined)
REDUCTION(maximum, Maximum, joined)
REDUCTION(minimum, Minimum, joined)
#if REAL
REDUCTION(mean, Sum, joined / (WIDE) count)
#else
// Cut towards zero, and 0 of nothing.
REDUCTION(mean, Sum, joined / (WIDE) (count > 0 ? count : 1))
#endif

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
