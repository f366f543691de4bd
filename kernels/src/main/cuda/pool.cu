// Maxima and averages over windows of up to three spatial axes; one thread a result. A window wholly in padding has the
// least value as its maximum, index -1, and the average 0.
#include "join.cuh"
#include "window.cuh"

#define FOR_TAPS(window, o, plane) \
  int64 plane_outputs = window.output[0] * window.output[1] * window.output[2]; \
  int64 plane = o / plane_outputs; \
  int64 within = o % plane_outputs; \
  Span x = span(window, 2, within % window.output[2]); \
  Span y = span(window, 1, within / window.output[2] % window.output[1]); \
  Span z = span(window, 0, within / (window.output[2] * window.output[1])); \
  int64 plane_inputs = window.input[0] * window.input[1] * window.input[2]; \
  const VALUE* mine = from + plane * plane_inputs; \
  for (int64 c = z.first; c < z.end; c++) \
    for (int64 b = y.first; b < y.end; b++) \
      for (int64 a = x.first; a < x.end; a++)

#define TAP(window) \
  (((z.start + c * window.dilation[0]) * window.input[1] + y.start + b * window.dilation[1]) * window.input[2] \
   + x.start + a * window.dilation[2])

// The first of equal elements is taken, and the first NaN of all. Indices may count the first spatial axis as the
// innermost.
extern "C" __global__ void maximum_pool(const VALUE* __restrict__ from, VALUE* __restrict__ to,
    int64* __restrict__ indices, int64 count, int column_major, Window window) {
  for (EACH(o, count)) {
    WIDE best = lowest();
    int64 where = -1;
    FOR_TAPS(window, o, plane) {
      int64 at = TAP(window);
      WIDE value = widen(mine[at]);
      if (where < 0 || value > best || (is_nan(value) && !is_nan(best))) {
        best = value;
        where = at;
      }
    }
    to[o] = narrow<VALUE>(best);
    if (indices != nullptr) {
      if (where >= 0 && column_major) {
        int64 u = where % window.input[2];
        int64 v = where / window.input[2] % window.input[1];
        int64 w = where / (window.input[2] * window.input[1]);
        where = w + window.input[0] * (v + window.input[1] * u);
      }
      indices[o] = where < 0 ? -1 : o / plane_outputs * plane_inputs + where;
    }
  }
}

#if REAL
extern "C" __global__ void average_pool(const VALUE* __restrict__ from, VALUE* __restrict__ to, int64 count,
    int include_padding, Window window) {
  for (EACH(o, count)) {
    LongSum total;
    FOR_TAPS(window, o, plane) {
      total.add(widen(mine[TAP(window)]));
    }
    WIDE sum = total.sum();
    // A product of whole numbers could be more than 64 bits hold.
    WIDE divisor = (WIDE) counted(window, 0, z, include_padding) * (WIDE) counted(window, 1, y, include_padding)
        * (WIDE) counted(window, 2, x, include_padding);
    to[o] = narrow<VALUE>(divisor == (WIDE) 0 ? (WIDE) 0 : sum / divisor);
  }
}
#endif
